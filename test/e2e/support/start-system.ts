import { renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../support/free-ports.ts';
import { startSystem, type TestSystem } from '../../support/system.ts';
import {
  SYSTEM_VARIABLE,
  OUTPUT_VARIABLE,
  PAGES_PORT_VARIABLE,
  RECEIVER_PORT_VARIABLE,
} from './fixtures.ts';
import { serveHostPages } from './host-pages.ts';
import { DATA_DIR_VARIABLE } from './dedicated-organization.ts';

/** How often what the house prints is written where journeys can read it. */
const COPY_MILLISECONDS = 500;

/** Runs once before all journeys: one house for all of them. */
export default async function startTestSystem() {
  const [receiverPort, pagesPort] = await freePorts(2);
  const system = await startSystem({
    CONNECT_CONFIG: join(import.meta.dirname, 'connect.config.ts'),
    LOG_LEVEL: 'info', // So that there is something to look for secrets in.
    ALLOWED_ORIGINS: `http://localhost:${pagesPort}`,
    WEBHOOK_ALLOW_HOSTS: `localhost:${receiverPort}`,
  });
  const folder = await mkdtemp(join(tmpdir(), 'connect-e2e-'));
  const outputFile = join(folder, 'house.log');
  const { output, close, ...addresses } = system;
  const pages = await serveHostPages(pagesPort!, system);
  // Workers inherit the environment.
  process.env[SYSTEM_VARIABLE] = JSON.stringify(addresses);
  process.env[OUTPUT_VARIABLE] = outputFile;
  process.env[DATA_DIR_VARIABLE] = await dataDirOf(system);
  process.env[RECEIVER_PORT_VARIABLE] = String(receiverPort);
  process.env[PAGES_PORT_VARIABLE] = String(pagesPort);
  // Under another name first: who reads it finds the whole, never one that is just being written.
  const copyOutput = () => {
    writeFileSync(`${outputFile}.new`, output());
    renameSync(`${outputFile}.new`, outputFile);
  };
  copyOutput();
  const timer = setInterval(copyOutput, COPY_MILLISECONDS);
  return async () => {
    clearInterval(timer);
    pages.close();
    const code = await close();
    await rm(folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The house ended with ${code}, not 0:\n${output()}`);
  };
}

/** As the house tells whoever started it, once everything runs: moments after it answers. */
async function dataDirOf({ output }: TestSystem): Promise<string> {
  for (let attempts = 0; attempts < 600; attempts += 1) {
    const [, folder] = /Data is kept in (\S+)\. Ctrl-C/.exec(output()) ?? [];
    if (folder) return folder;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The house does not say where its data is:\n${output()}`);
}
