import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium, type Browser } from 'playwright';
import { startEmbedded } from '../../api/src/db/embedded.ts';
import { eventually } from '@connect-embed/api/test-support/app/start-api';
import { readConfig, startSandbox } from '../../sandbox/src/index.ts';
import { createLog } from '../../sandbox/src/log.ts';
import { freePorts } from '../../../test/support/free-ports.ts';
import { launchOptions } from '../../../test/support/launch-options.ts';
import { InstalledCommand } from './installed-command.ts';
import { buildLastRelease, THIS_RELEASE } from './last-release.ts';

/** Pages keep a script in their cache, or pin its version, while the server is upgraded. */
const last = buildLastRelease();
const releases = last ? [THIS_RELEASE, last] : [THIS_RELEASE];
const commands = new Map(
  releases.map((release) => [release, new InstalledCommand(release.packages)]),
);
const current = commands.get(THIS_RELEASE)!;
after(() => commands.forEach((command) => command.remove()));
after(() => releases.forEach((release) => release.remove()));

/** A page with the form of the server that its address names. */
const website = createServer((request, response) => {
  const server = new URL(request.url!, 'http://localhost').searchParams.get('server');
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><script type="module" src="${server}/connect.js"></script>
    <connect-donate server="${server}" amount="50"></connect-donate>`);
}).listen(0, 'localhost');
await once(website, 'listening');
const site = `http://localhost:${(website.address() as AddressInfo).port}`;
after(() => website.close());

const WEBHOOK_SECRET = 'whsec_a-secret-of-this-test-that-is-long-enough';

describe('a donation with script and server of different releases', () => {
  const disposables = new AsyncDisposableStack();
  after(() => disposables.disposeAsync());
  let env: Record<string, string>;
  let browser: Browser;
  let key: string;

  before(async () => {
    const postgres = await startEmbedded({ dataDir: join(current.folder, 'pg'), durable: false });
    disposables.defer(() => postgres.stop());
    const [apiPort] = await freePorts(1);
    const sandbox = await startSandbox(
      readConfig({
        SANDBOX_PORT: '0',
        DATA_DIR: join(current.folder, 'sandbox'),
        SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${apiPort}/processor-events`,
        SANDBOX_WEBHOOK_SECRET: WEBHOOK_SECRET,
      }),
      createLog('error'),
    );
    disposables.defer(() => sandbox.stop());
    env = {
      DATABASE_URL: postgres.url,
      API_SECRET: 'a long secret of the API in this test',
      SESSION_SECRET: 'a long secret of sessions in this test',
      SANDBOX_URL: sandbox.url,
      SANDBOX_WEBHOOK_SECRET: WEBHOOK_SECRET,
      API_PORT: String(apiPort),
      API_BASE_URL: `http://127.0.0.1:${apiPort}`,
      SERVER_PORT: '0',
      ALLOWED_ORIGINS: site,
      LOG_LEVEL: 'error',
    };
    await current.run(['seed'], env);
    const create = ['keys', 'create', '--name', 'Server', '--scopes', 'all', '--json'];
    ({ key } = JSON.parse((await current.run(create, env)).output) as { key: string });
    const api = current.start(['serve', '--role', 'api,worker'], env);
    disposables.defer(async () => void (await api.stop()));
    await api.print(/^api listening/m);
    browser = await chromium.launch(launchOptions());
    disposables.defer(() => browser.close());
  });

  async function readEmails(): Promise<string[]> {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${env['API_BASE_URL']}/api/v1/donations?limit=10`, { headers });
    const { data } = (await response.json()) as { data: { donor_email: string }[] };
    return data.map(({ donor_email }) => donor_email);
  }

  for (const server of releases) {
    for (const script of releases) {
      test(`the script of ${script.name} with the server of ${server.name}`, async () => {
        const services = commands.get(server)!.start(['serve', '--role', 'server'], {
          ...env,
          CONNECT_API_KEY: key,
          SCRIPTS_DIR: script.scripts,
        });
        try {
          const url = await services.print(/server listening on (\S+)/);
          const page = await browser.newPage();
          await page.goto(`${site}/?server=${encodeURIComponent(url)}`);
          const email = `${crypto.randomUUID()}@packages.example`;
          const form = page.locator('connect-donate');
          await form.getByLabel(/^Name\b/).fill('Ada Lovelace');
          await form.getByLabel(/^Email\b/).fill(email);
          const card = page.frameLocator('connect-donate iframe').first();
          await card.getByLabel('Card number').fill('4242 4242 4242 4242');
          await card.getByLabel('Expiration date').fill('12 / 34');
          await card.getByLabel('Security code').fill('123');
          await form.getByRole('button', { name: /^Giv(e|ing)\b[^?]*$/ }).click();
          await form.getByRole('heading', { name: /^Thank you/ }).waitFor();
          await eventually(async () => (await readEmails()).includes(email) || undefined);
        } finally {
          assert.equal(await services.stop(), 0);
        }
      });
    }
  }
});
