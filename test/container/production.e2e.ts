import { expect, test, type Page } from 'playwright/test';
import { DonatePage } from '../e2e/support/donate-page.ts';
import { PageMonitor } from '../e2e/support/page-monitor.ts';
import { enterKeys, publishForm, setUp } from '../e2e/support/setup-pages.ts';
import { eventually } from '../support/eventually.ts';
import { IMAGE } from './support/base-images.ts';
import { podman } from './support/engine.ts';
import { containerOf, exec, type Installation } from './support/installation.ts';
import { INSTALLATION_VARIABLE } from './support/start.ts';

/** How long the server may take to see a form of the dashboard. */
const PUBLICATION_TIMEOUT_MS = 60_000;

const installation = JSON.parse(process.env[INSTALLATION_VARIABLE]!) as Installation;
const { api, server, sandbox } = installation;
const connect = containerOf(installation, 'connect');

/** Follows the setup link, as step 4 of docs/production.md. */
async function followSetupLink(page: Page): Promise<void> {
  const output = await eventually(() =>
    exec(installation, 'connect', 'connect-embed', 'setup-link'),
  );
  const [link] = /https:\S+/.exec(output)!;
  await setUp(page, link);
  await page.getByRole('link', { name: 'Set up card payments', exact: true }).click();
  await page.getByRole('link', { name: 'Enter Stripe keys' }).click();
  await enterKeys(page);
}

test('from the setup link to a donation over HTTPS', async ({ page, context }) => {
  await followSetupLink(page);
  await publishForm(page);
  const addresses = { site: '', server, sandbox, api_base: api, api_key: '', organization_id: '' };
  const donate = new DonatePage(await context.newPage(), addresses, new PageMonitor(context));
  await expect(async () => {
    await donate.page.goto(`${server}/give/seeds`);
    await expect(donate.submitButton).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: PUBLICATION_TIMEOUT_MS });
  await donate.fill({ email: 'ada@example.org', amount: '$50' });
  await donate.submitButton.click();
  await donate.expectThanks();
  await page.goto(`${api}/dashboard`);
  await page.getByRole('link', { name: 'Donations', exact: true }).click();
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('main').getByText('$50.00').first()).toBeVisible({ timeout: 1000 });
  }).toPass();
});

test('keeps the scripts of every version for pages that pin one', async ({ page }) => {
  const [current] = (await exec(installation, 'connect', 'ls', '/app/scripts')).split('\n');
  expect(current).toMatch(/^v\d/);
  // As an earlier release has left them.
  await exec(installation, 'connect', 'cp', '-r', `/app/scripts/${current}`, '/app/scripts/v0.0.1');
  for (const version of [current, 'v0.0.1']) {
    const response = await page.goto(`${server}/${version}/connect.js`);
    expect(response?.status(), version).toBe(200);
  }
});

test('runs as a user without privileges that can write nothing else', async () => {
  const write = `require('fs').writeFileSync('/app/x', '')`;
  await expect(exec(installation, 'connect', 'node', '-e', write)).rejects.toThrow(/EROFS/);
  // On a platform whose root is not read-only.
  const writable = await podman(
    ...['run', '--rm', IMAGE],
    ...['find', '/app', '-writable', '-not', '-path', '/app/scripts'],
  );
  expect(writable).toBe('');
  const status = await exec(installation, 'connect', 'cat', '/proc/1/status');
  expect(status).toMatch(/^Uid:\s+1000\b/m);
  expect(status).toMatch(/^CapEff:\s+0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
});

test('is healthy', async () => {
  await exec(installation, 'connect', 'node', '/app/healthcheck.js');
  const inspected = await podman(
    'inspect',
    '--format',
    '{{json .Config.Healthcheck.Test}}',
    connect,
  );
  expect(JSON.parse(inspected)).toEqual(['CMD', 'node', '/app/healthcheck.js']);
});

test('a new process takes over while requests arrive, and none of them fails', async ({
  request,
}) => {
  const statuses: number[] = [];
  let isDone = false;
  const clients = Array.from({ length: 4 }, async () => {
    while (!isDone) statuses.push((await request.get(`${api}/healthz`)).status());
  });
  await podman('stop', '--time', '30', connect);
  expect(await podman('inspect', '--format', '{{.State.ExitCode}}', connect)).toBe('0\n');
  await podman('start', connect);
  await eventually(() => exec(installation, 'connect', 'node', '/app/healthcheck.js'));
  isDone = true;
  await Promise.all(clients);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('a backup restores the donation into an empty database', async ({ page }) => {
  const postgres = (...command: string[]) => exec(installation, 'postgres', ...command);
  const user = '--username=connect';
  const dump = '/tmp/connect.dump';
  await postgres('pg_dump', user, '--format=custom', '--no-owner', `--file=${dump}`, 'connect');
  await podman('stop', connect);
  await postgres('dropdb', user, 'connect');
  await postgres('createdb', user, 'connect');
  const options = [user, '--dbname=connect', '--exit-on-error', '--no-owner'];
  await postgres('pg_restore', ...options, dump);
  await podman('start', connect);
  const query = 'select count(*) from donation where donor_email = $$ada@example.org$$';
  const count = await postgres('psql', user, '--tuples-only', `--command=${query}`, 'connect');
  expect(Number(count)).toBeGreaterThan(0);
  await eventually(async () => {
    const response = await page.goto(`${server}/give/seeds`);
    expect(response?.status()).toBe(200);
  });
});
