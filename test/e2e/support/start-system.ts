import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../support/free-ports.ts';
import { startSystem, type TestSystem } from '../../support/system.ts';
import {
  COUNT_VARIABLE,
  DEBITS_PORT_VARIABLE,
  SYSTEM_VARIABLE,
  OUTPUT_VARIABLE,
  PAGES_PORT_VARIABLE,
  PLATFORM_PORT_VARIABLE,
  RECEIVER_PORT_VARIABLE,
} from './fixtures.ts';
import { serveHostPages } from './host-pages.ts';
import { DATA_DIR_VARIABLE } from './run-command.ts';

/** How often the output of the system is written to a file that tests read. */
const COPY_MILLISECONDS = 500;

/** Global setup: starts one system for all e2e tests. */
export default async function startTestSystem() {
  const [receiverPort, debitsPort, platformPort, pagesPort] = await freePorts(4);
  const webhookPorts = [receiverPort, debitsPort, platformPort];
  const system = await startSystem({
    CONNECT_CONFIG: join(import.meta.dirname, 'connect.config.ts'),
    LOG_LEVEL: 'info', // Logs every request, so that `secrets.e2e.ts` has lines to check.
    ALLOWED_ORIGINS: `http://localhost:${pagesPort}`,
    WEBHOOK_ALLOW_HOSTS: webhookPorts.map((port) => `localhost:${port}`).join(),
  });
  const folder = await mkdtemp(join(tmpdir(), 'connect-e2e-'));
  const outputFile = join(folder, 'system.log');
  const { output, close, ...addresses } = system;
  const pages = await serveHostPages(pagesPort!, system);
  // Worker processes inherit the environment.
  process.env[SYSTEM_VARIABLE] = JSON.stringify(addresses);
  process.env[OUTPUT_VARIABLE] = outputFile;
  process.env[COUNT_VARIABLE] = join(folder, 'tests');
  writeFileSync(process.env[COUNT_VARIABLE], '');
  process.env[DATA_DIR_VARIABLE] = await dataDirOf(system);
  process.env[RECEIVER_PORT_VARIABLE] = String(receiverPort);
  process.env[DEBITS_PORT_VARIABLE] = String(debitsPort);
  process.env[PLATFORM_PORT_VARIABLE] = String(platformPort);
  process.env[PAGES_PORT_VARIABLE] = String(pagesPort);
  let copied = 0;
  const copyOutput = () => {
    const text = output();
    appendFileSync(outputFile, text.slice(copied));
    copied = text.length;
  };
  copyOutput();
  const timer = setInterval(copyOutput, COPY_MILLISECONDS);
  return async () => {
    clearInterval(timer);
    await pages.close();
    const code = await close();
    await rm(folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The system exited with ${code}, not 0:\n${output()}`);
  };
}

/**
 * Reads the data folder from the start message, which is printed moments after the services
 * respond.
 */
async function dataDirOf({ output }: TestSystem): Promise<string> {
  for (let attempts = 0; attempts < 600; attempts += 1) {
    const [, folder] = /Data is kept in (\S+)\. Ctrl-C/.exec(output()) ?? [];
    if (folder) return folder;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The output does not contain the data folder:\n${output()}`);
}
