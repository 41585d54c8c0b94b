import type { Config } from '../config.ts';
import { connectionUrl, startEmbedded } from './embedded.ts';

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
export const openPostgres = async (
  { databaseUrl, dataDir }: PostgresConfig,
  log?: (message: string) => void,
): Promise<Postgres> =>
  databaseUrl
    ? externalPostgres(databaseUrl)
    : await startEmbedded({ dataDir, ...(log && { log }) });

/**
 * Returns the server for a CLI command: the external server, or the embedded server of the running
 * service. Starts the embedded server if it does not run.
 */
export async function connectOrStartPostgres(config: PostgresConfig): Promise<Postgres> {
  const running = config.databaseUrl ?? connectionUrl(config.dataDir);
  return running ? externalPostgres(running) : await openPostgres(config);
}
