import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER } from '../../../test-support/app/start-oauth.ts';
import { startApi } from '../../../test-support/app/start-api.ts';
import { runChecks } from '../../doctor/run-checks.ts';
import { logMissingKeys } from './missing-keys.ts';

// A production start without Stripe variables. No test of this file may call Stripe.
const { app, config, deps, post, createKey, visitor, logged } = await startApi({
  env: { NODE_ENV: 'production' },
});
const CHECK_OPTIONS = { server: undefined, origins: [], scriptsDir: config.scriptsDir };

test('without a platform, an account of a platform takes no donation', async (t) => {
  const send = t.mock.method(globalThis, 'fetch');
  const { token } = await createKey(['payments:write']);
  const response = await post('/payment-intents', token, { amount_cents: 500 });
  assert.equal(response.status, 503);
  assert.equal(send.mock.callCount(), 0);
});

test('without a platform, events of a platform are not accepted', async () => {
  const response = await app.request('/processor-events', { method: 'POST', body: '{}' });
  assert.equal(response.status, 404);
});

test('an account of a former platform can be replaced by own keys only', async () => {
  await deps.db
    .insertInto('processor_account')
    .values({
      ...{ id: 'acct_harbor_street', organization_id: 'org_harbor', requirements_due: [] },
      ...{ charges_enabled: false, payouts_enabled: false, details_submitted: false },
    })
    .execute();
  const page = await visitor().openAs(OWNER, '/dashboard/org_harbor/payments');
  assert.match(page.text, /Not enabled[^]*Enter Stripe keys/);
  assert.doesNotMatch(page.text, /Continue setup/);
});

test('without a platform, an account without keys is logged at the start, and fails connect-embed doctor', async () => {
  await logMissingKeys(deps, deps.log);
  assert.match(logged.at(-1)!, /"organizations":\["org_harbor"[^]*cannot take donations/);
  const failures: string[] = [];
  for await (const { status, message } of runChecks(deps, CHECK_OPTIONS))
    if (status === 'failed') failures.push(message);
  const problem =
    'Harbor Street Food Bank: acct_harbor_street cannot be used without the keys of its platform.';
  assert.ok(failures.includes(problem), failures.join('\n'));
});

test('without a platform, the dashboard offers only own keys', async () => {
  const { db } = deps;
  await db.updateTable('organization').set({ processor_account_id: null }).execute();
  await db.deleteFrom('processor_account').execute();
  const page = await visitor().openAs(OWNER, '/dashboard/org_harbor/payments');
  assert.match(page.text, /Enter Stripe keys/);
  assert.doesNotMatch(page.text, /Connect with Stripe/);
  assert.doesNotMatch((await visitor().open('/sign-in')).text, /Demo: sign in/);
});

test('without a platform, connect-embed doctor checks no platform', async () => {
  const messages: string[] = [];
  for await (const { message } of runChecks(deps, CHECK_OPTIONS)) messages.push(message);
  assert.ok(messages.includes('Card processor: each organization uses its own Stripe keys.'));
  assert.ok(!messages.some((message) => message.startsWith('Stripe events:')));
});
