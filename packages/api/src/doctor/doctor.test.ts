import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { startMailServer } from '../../test-support/network/mail-server.ts';
import { startManualEventsSandbox } from '../../test-support/app/manual-events-sandbox.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { reportProcess } from '../db/service-processes.ts';
import { createProcessor } from '../payments/stripe/processor.ts';
import { createReadinessCheck } from '../process/readiness.ts';
import { runChecks } from './run-checks.ts';
import { formatResult, type CheckResult } from './check-result.ts';

const sandboxApi = await startManualEventsSandbox();
const { config, deps, db, stripe } = sandboxApi;
await reportProcess(deps, 'worker');
const mailServer = await startMailServer();
after(mailServer.stop);

async function runDoctor(overrides: Partial<typeof deps> = {}, origins: string[] = []) {
  const found: CheckResult[] = [];
  const server = origins.length > 0 ? sandboxApi.url : undefined;
  const options = { server, origins, scriptsDir: config.scriptsDir };
  for await (const each of runChecks({ ...deps, ...overrides }, options)) found.push(each);
  return found;
}

const findResult = (found: CheckResult[], start: string) =>
  found.find(({ message }) => message.startsWith(start));

describe('connect-embed doctor', () => {
  test('finds no fault in a correct installation', async () => {
    const found = await runDoctor();
    assert.deepEqual(found.filter(({ status }) => status === 'failed').map(formatResult), []);
    assert.match(findResult(found, 'Database: ')!.message, /PostgreSQL \d+/);
    for (const start of [
      'Migrations: up',
      'Readiness: ',
      'Card processor: the secret key is valid',
      'Clock: ',
      'Worker: 1 running',
      'Email: shown at /dev/mailbox',
    ])
      assert.equal(findResult(found, start)?.status, 'passed', start);
    assert.equal(findResult(found, 'Harbor Street Food Bank: acct')?.status, 'passed');
    assert.equal(findResult(found, 'Stripe events: none received')?.status, 'warning');
  });

  test('checks that the webhook endpoint is registered for all event types', async () => {
    const url = `${sandboxApi.url}/processor-events`;
    const { id } = await stripe.webhookEndpoints.create({
      url,
      connect: true,
      enabled_events: ['payout.paid'],
    });
    const result = findResult(await runDoctor(), 'Stripe events: the endpoint does not receive');
    assert.equal(result?.status, 'failed');
    assert.match(result.message, /charge\.refunded/);
    await stripe.webhookEndpoints.update(id, { enabled_events: ['*'] });
    assert.equal(
      findResult(await runDoctor(), 'Stripe events: the endpoint receives all')?.status,
      'passed',
    );
    await stripe.webhookEndpoints.del(id);
  });

  test('detects a webhook endpoint without events of connected accounts', async () => {
    const url = `${sandboxApi.url}/processor-events`;
    const endpoint = await stripe.webhookEndpoints.create({ url, enabled_events: ['*'] });
    const result = findResult(await runDoctor(), 'Stripe events: the endpoint seems');
    assert.match(formatResult(result!), /^\? .*own account only[\s\S]*connected accounts/);
    await stripe.webhookEndpoints.del(endpoint.id);
  });

  test('reports that the service is not reachable', async () => {
    const found = await runDoctor({ baseUrl: 'http://127.0.0.1:9' });
    assert.match(
      formatResult(findResult(found, 'Stripe events: http')!),
      /^✗ .*cannot be reached[\s\S]*API_BASE_URL/,
    );
  });

  test('reports that Stripe does not respond', async () => {
    const { processor } = deps;
    const unreachableProcessor = {
      ...processor,
      usesSandbox: false,
      getServerTime: () => Promise.reject(new Error('no key')),
    };
    const found = await runDoctor({ processor: unreachableProcessor });
    assert.match(
      formatResult(found.at(-1)!),
      /^✗ Card processor: no key\n {4}Check STRIPE_SECRET_KEY/,
    );
  });

  test('reports where it looked for a sandbox that does not respond, and blames no Stripe key', async () => {
    const platform = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', webhookSecret: 's' };
    const address = { host: '127.0.0.1', port: 9, protocol: 'http' } as const;
    const scriptUrl = 'http://127.0.0.1:9/stripe.js';
    const processor = createProcessor({ platform, scriptUrl, livemode: false, address });
    assert.match(
      formatResult((await runDoctor({ processor })).at(-1)!),
      /^✗ Card processor: no sandbox responds at http:\/\/127\.0\.0\.1:9\.\n {4}Start it with `npm start`, or set SANDBOX_URL/,
    );
  });

  for (const [minutes, status] of [
    [1, 'warning'],
    [-10, 'failed'],
  ] as const) {
    test(`reports a clock that is ${minutes} min off as ${status}`, async () => {
      const { processor } = deps;
      const getServerTime = async () => new Date(Date.now() + minutes * 60_000);
      const found = await runDoctor({ processor: { ...processor, getServerTime } });
      assert.equal(findResult(found, 'Clock:')?.status, status);
    });
  }

  test('reports an organization that cannot take donations and an origin that is not allowed', async () => {
    await db
      .insertInto('organization')
      .values({ id: 'org_new', name: 'New Hope', slug: 'new-hope', currency: 'usd' })
      .execute();
    const found = await runDoctor({}, ['https://evil.example']);
    assert.match(
      formatResult(findResult(found, 'New Hope:')!),
      /no account[\s\S]*\/dashboard\/org_new\/payments/,
    );
    assert.equal(findResult(found, 'Origin: https://evil.example')?.status, 'failed');
  });

  test('reports that no worker runs, and when one did', async () => {
    await db
      .updateTable('service_process')
      .set({ seen_at: sql`now() - interval '1 hour'` })
      .execute();
    const result = findResult(await runDoctor(), 'Worker: ');
    assert.match(
      formatResult(result!),
      /^✗ Worker: none is running; the last one was seen at .*\n {4}Start a process/,
    );
    await db.updateTable('service_process').set({ role: 'api', seen_at: new Date() }).execute();
    assert.match(formatResult(findResult(await runDoctor(), 'Worker: ')!), /none was seen/);
    await db.updateTable('service_process').set({ role: 'worker' }).execute();
  });

  test('signs in at the mail server, and sends no email', async () => {
    const mail = (smtpUrl: string) =>
      runDoctor({ mailConfig: { ...deps.mailConfig, smtpUrl, mailbox: false } });
    assert.equal(findResult(await mail(mailServer.url), 'Email: ')?.status, 'passed');
    assert.deepEqual(mailServer.received, []);
    const withPassword = mailServer.url.replace('//', '//dana:hunter2@');
    const rejected = formatResult(findResult(await mail(withPassword), 'Email: ')!);
    assert.match(rejected, /^✗ Email: SMTP_URL: 127\.0\.0\.1 rejects the user name or password/);
    assert.doesNotMatch(rejected, /dana|hunter2/);
    const closed = formatResult(findResult(await mail('smtp://127.0.0.1:9'), 'Email: ')!);
    assert.match(closed, /cannot be reached/);
    const mailConfig = { ...deps.mailConfig, smtpUrl: undefined, mailbox: false };
    assert.equal(findResult(await runDoctor({ mailConfig }), 'Email: ')?.status, 'warning');
  });

  test('reports an API_SECRET that is not that of the database', async () => {
    await db.updateTable('installation').set({ secret_probe: 'of another secret' }).execute();
    const checkReady = createReadinessCheck({
      ...{ db, processor: deps.processor },
      ...{ secret: 'o'.repeat(32), embeddedFolder: undefined },
    });
    const result = findResult(await runDoctor({ checkReady }), 'Readiness: ');
    assert.match(
      formatResult(result!),
      /^✗ .*API_SECRET does not match the database\.\n {4}Set API/,
    );
    await db.updateTable('installation').set({ secret_probe: null }).execute();
  });

  test('reports missing tables', async () => {
    const [name] = Object.keys(MIGRATIONS);
    await sql`delete from kysely_migration where name = ${name}`.execute(db);
    assert.match(
      formatResult(findResult(await runDoctor(), 'Pending migrations:')!),
      new RegExp(`Pending migrations: ${name}\\.[\\s\\S]*migrate`),
    );
  });
});
