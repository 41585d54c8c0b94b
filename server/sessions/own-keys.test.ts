import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { PaymentIntent } from '@connect-embed/contract';
import { Member } from '../test-support/dashboard-member.ts';
import { errorOf, openServer } from '../test-support/embedding-page.ts';
import { startSystem } from '../test-support/system.ts';

const system = await startSystem();
after(() => system.close());

/** Creates an organization of a demo person, with the key of its server. */
async function createOrganization() {
  const json = async (...args: string[]) =>
    JSON.parse(await system.connect(...args, '--json')) as { id: string; key: string };
  const options = ['--name', 'Seeds', '--slug', 'seeds', '--currency', 'usd'];
  const { id } = await json('organizations', 'create', ...options);
  const email = 'owner@harborstreet.example';
  await system.connect('people', 'join', email, '--organization', id, '--role', 'owner');
  const scopes = ['--name', 'server', '--scopes', 'payments:write'];
  const { key } = await json('keys', 'create', '--organization', id, ...scopes);
  return { id, key };
}

test('new Stripe keys are used by the next page view after the first donation', async () => {
  const { id, key: apiKey } = await createOrganization();
  const owner = new Member(system.apiUrl);
  await owner.send('/sign-in', {
    email: 'owner@harborstreet.example',
    password: 'harbor-street-demo',
  });
  const enterKeys = (name: string) =>
    owner.send(`/dashboard/${id}/payments/keys`, {
      secret_key: `sk_test_own_${name}`,
      publishable_key: `pk_test_own_${name}`,
    });
  await enterKeys('first');
  const { openForm, createPaymentIntent } = openServer(system.apiBase, { apiKey });
  const before = await openForm();
  assert.equal(before.form.publishable_key, 'pk_test_own_first');

  await enterKeys('second');
  // This page has the former key, with which the intent could not be confirmed.
  const error = await errorOf(await createPaymentIntent(before.session_token));
  assert.equal(error.status, 404);
  assert.match(error.message, /Reload it\. You were not charged/);
  const reloaded = await openForm();
  assert.equal(reloaded.form.publishable_key, 'pk_test_own_second');
  const created = await createPaymentIntent(reloaded.session_token);
  assert.equal(created.status, 201);
  assert.equal(((await created.json()) as PaymentIntent).publishable_key, 'pk_test_own_second');
  assert.equal((await createPaymentIntent(before.session_token)).status, 404);
});
