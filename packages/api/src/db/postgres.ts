import type { Config } from '../config.ts';
import { connectionUrl } from './embedded/connection-url.ts';

/** A PostgreSQL server to connect to. */
interface Postgres {
  url: string;
  /** Resolves when a server that this process started has ended. Never resolves for an external server. */
  ended: Promise<void>;
  stop: () => Promise<void>;
}

type PostgresConfig = Pick<Config, 'databaseUrl' | 'dataDir'>;

const NEVER = new Promise<void>(() => {});
const externalPostgres = (url: string): Postgres => ({ url, ended: NEVER, stop: async () => {} });

/** Returns the external server of DATABASE_URL, or starts the embedded one. */
export async function openPostgres(
  { databaseUrl, dataDir }: PostgresConfig,
  log?: (message: string) => void,
): Promise<Postgres> {
  if (databaseUrl) return externalPostgres(databaseUrl);
  const { startEmbedded } = await loadEmbedded();
  return await startEmbedded({ dataDir, ...(log && { log }) });
}

/** Loads the embedded server only where it is used, because it needs Node's SQLite: Node 22.13. */
const loadEmbedded = async () =>
  await import('./embedded.ts').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ERR_UNKNOWN_BUILTIN_MODULE') throw cause;
    throw new Error(
      `DATABASE_URL is not set, and the embedded PostgreSQL needs Node 22.13 or newer. This is ${process.version}.`,
    );
  });

/**
 * Returns the server for a CLI command: the external server, or the embedded server of the running
 * service. Starts the embedded server if it does not run.
 */
export async function connectOrStartPostgres(config: PostgresConfig): Promise<Postgres> {
  const running = config.databaseUrl ?? connectionUrl(config.dataDir);
  return running ? externalPostgres(running) : await openPostgres(config);
}
