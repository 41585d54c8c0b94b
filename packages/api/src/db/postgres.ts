import type { Config } from '../config.ts';
import { connectionUrl, startEmbedded } from './embedded.ts';

/** A PostgreSQL to connect to, and how to leave it. */
export interface Postgres {
  url: string;
  /** Settles when a server that was started here has ended, whoever ended it. */
  ended: Promise<void>;
  stop: () => Promise<void>;
}

type PostgresConfig = Pick<Config, 'databaseUrl' | 'dataDir'>;

const NEVER = new Promise<void>(() => {});
const externalPostgres = (url: string): Postgres => ({ url, ended: NEVER, stop: async () => {} });

/** The PostgreSQL of the settings: the operator's own, or an embedded one that is started here. */
export const openPostgres = async (
  { databaseUrl, dataDir }: PostgresConfig,
  log?: (sentence: string) => void,
): Promise<Postgres> =>
  databaseUrl
    ? externalPostgres(databaseUrl)
    : await startEmbedded({ dataDir, ...(log && { log }) });

/** The same for a command, which may run while the service does, and uses its server then. */
export async function connectOrStartPostgres(config: PostgresConfig): Promise<Postgres> {
  const running = config.databaseUrl ?? connectionUrl(config.dataDir);
  return running ? externalPostgres(running) : await openPostgres(config);
}
