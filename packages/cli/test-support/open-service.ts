import { join } from 'node:path';
import { after } from 'node:test';
import { openDatabase } from '@connect-embed/api/db/database';
import { cloneDatabase } from '@connect-embed/api/test-support/database/database';
import {
  startServerProcess,
  type ServerProcess,
} from '@connect-embed/api/test-support/processes/processes';

const MAIN = join(import.meta.dirname, '../src/service/main.ts');

/**
 * Creates an empty database, and a function that starts processes of the service on it. They are stopped after the
 * test file.
 *
 * @param settings environment variables of all processes
 */
export async function openService(settings: Record<string, string> = {}) {
  const database = await cloneDatabase();
  const { db, close } = openDatabase(database.url);
  const serverProcesses: ServerProcess[] = [];
  after(async () => {
    await Promise.all(serverProcesses.map((serverProcess) => serverProcess.stop()));
    await close();
    await database.drop();
  });
  const start = async (args: readonly string[] = [], env: Record<string, string> = {}) => {
    const environment = { API_PORT: '0', DATABASE_URL: database.url, ...settings, ...env };
    const serverProcess = await startServerProcess(MAIN, environment, args);
    serverProcesses.push(serverProcess);
    return serverProcess;
  };
  return { db, start };
}
