import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../support/free-ports.ts';
import { startSystem } from '../../support/system.ts';
import { setEnvironment, type Environment } from './environment.ts';
import { serveHostPages } from './host-pages.ts';

/** How often the output of the system is written to a file that tests read. */
const COPY_MILLISECONDS = 500;

/** Global setup: starts one system for all e2e tests. */
export default async function startTestSystem() {
  const [receiver, debits, platform, pages] = await freePorts(4);
  const system = await startSystem({
    CONNECT_CONFIG: join(import.meta.dirname, 'connect.config.ts'),
    LOG_LEVEL: 'info', // Logs every request, so that `secrets.e2e.ts` has lines to check.
    TRUST_PROXY: '1', // Only requests that a test changed have the header of a proxy.
    ALLOWED_ORIGINS: `http://localhost:${pages}`,
    WEBHOOK_ALLOW_HOSTS: [receiver, debits, platform].map((port) => `localhost:${port}`).join(),
  });
  const folder = await mkdtemp(join(tmpdir(), 'connect-e2e-'));
  const outputFile = join(folder, 'system.log');
  const countFile = join(folder, 'tests');
  writeFileSync(countFile, '');
  const { output, close, dataDir, ...addresses } = system;
  const hostPages = await serveHostPages(pages!, system);
  const ports = { receiver, debits, platform, pages } as Environment['ports'];
  setEnvironment({ system: addresses, dataDir, outputFile, countFile, ports });
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
    await hostPages.close();
    const code = await close();
    await rm(folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`The system exited with ${code}, not 0:\n${output()}`);
  };
}
