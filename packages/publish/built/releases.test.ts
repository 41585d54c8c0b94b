import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { chromium, type Browser } from 'playwright';
import { eventually } from '@connect-embed/api/test-support/app/start-api';
import { launchOptions } from '../../../test/support/launch-options.ts';
import { listen } from '../../../test/support/listen.ts';
import { give } from './give.ts';
import { InstalledCommand } from './installed-command.ts';
import { buildLastRelease, THIS_RELEASE } from './last-release.ts';
import { startDatabaseAndSandbox } from './services.ts';

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
});
const { port, close } = await listen(website);
const site = `http://localhost:${port}`;
after(() => close());

describe('a donation with script and server of different releases', () => {
  const disposables = new AsyncDisposableStack();
  after(() => disposables.disposeAsync());
  let env: Record<string, string>;
  let browser: Browser;
  let key: string;

  before(async () => {
    const services = await startDatabaseAndSandbox(current.folder);
    disposables.defer(services.stop);
    env = {
      ...services.env,
      API_BASE_URL: `http://127.0.0.1:${services.env.API_PORT}`,
      ALLOWED_ORIGINS: site,
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
          await give(page, email);
          await eventually(async () => (await readEmails()).includes(email) || undefined);
        } finally {
          assert.equal(await services.stop(), 0);
        }
      });
    }
  }
});
