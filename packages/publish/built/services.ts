import { join } from 'node:path';
import { startEmbedded } from '../../api/src/db/embedded.ts';
import { readConfig, startSandbox } from '../../sandbox/src/index.ts';
import { createLog } from '../../sandbox/src/log.ts';
import { freePorts } from '../../../test/support/free-ports.ts';

const WEBHOOK_SECRET = 'whsec_a-secret-of-this-test-that-is-long-enough';

/**
 * Starts what the installed command needs: a PostgreSQL and the sandbox, with their data in a folder.
 *
 * @returns the environment with which `connect-embed serve` uses them
 */
export async function startDatabaseAndSandbox(folder: string) {
  const postgres = await startEmbedded({ dataDir: join(folder, 'pg'), durable: false });
  const [apiPort] = await freePorts(1);
  const sandbox = await startSandbox(
    readConfig({
      SANDBOX_PORT: '0',
      DATA_DIR: join(folder, 'sandbox'),
      SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${apiPort}/processor-events`,
      SANDBOX_WEBHOOK_SECRET: WEBHOOK_SECRET,
    }),
    createLog('error'),
  );
  return {
    env: {
      DATABASE_URL: postgres.url,
      API_SECRET: 'a long secret of the API in this test',
      SESSION_SECRET: 'a long secret of sessions in this test',
      SANDBOX_URL: sandbox.url,
      SANDBOX_WEBHOOK_SECRET: WEBHOOK_SECRET,
      API_PORT: String(apiPort),
      SERVER_PORT: '0',
      LOG_LEVEL: 'error',
    },
    stop: async () => {
      await sandbox.stop();
      await postgres.stop();
    },
  };
}
