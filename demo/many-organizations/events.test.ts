import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, test } from 'node:test';
import type { WebhookEvent } from '@connect-embed/client/webhooks';
import { openCustomers } from './customers.ts';
import { createEvents } from './events.ts';

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
const [HARBOR_SECRET, LANTERN_SECRET] = [newSecret(), newSecret()];
const BODY = JSON.stringify({ id: 'evt_1', object: 'event', type: 'donation.created' });

const customers = openCustomers(new DatabaseSync(':memory:'));
for (const [id, organization_id, event_secret] of [
  ['harbor', 'org_harbor', HARBOR_SECRET],
  ['lantern', 'org_lantern', LANTERN_SECRET],
] as const) {
  customers.open(id);
  customers.save({ id, organization_id, event_secret });
}
const received: [string, WebhookEvent['type']][] = [];
const events = createEvents(customers, async (customer, { type }) => {
  received.push([customer, type]);
});
beforeEach(() => received.splice(0));

/** Sends a body that is signed as in Standard Webhooks, or has the headers given. */
function deliver(
  organization: string,
  secret: string,
  { body = BODY, headers = sign(BODY, secret) } = {},
) {
  return events.request(`/${organization}`, { method: 'POST', headers, body });
}

function sign(body: string, secret: string): Record<string, string> {
  const [id, timestamp] = ['evt_1', `${Math.floor(Date.now() / 1000)}`];
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

test('an event with the signature of its organization is received', async () => {
  assert.equal((await deliver('org_harbor', HARBOR_SECRET)).status, 204);
  assert.deepEqual(received, [['harbor', 'donation.created']]);
});

test('an event whose signature does not match is rejected with 400, and nothing is done', async () => {
  const responses = await Promise.all([
    deliver('org_harbor', newSecret()),
    deliver('org_harbor', LANTERN_SECRET), // Another customer's secret.
    deliver('org_harbor', HARBOR_SECRET, { body: BODY.replace('created', 'refunded') }),
    deliver('org_harbor', HARBOR_SECRET, { headers: {} }),
  ]);
  for (const response of responses) {
    assert.equal(response.status, 400);
    assert.equal(await response.text(), 'The signature does not match.');
  }
  assert.deepEqual(received, []);
});

test('an event of an organization that has disconnected is answered with 410, so that no more are sent', async () => {
  assert.equal((await deliver('org_unknown', HARBOR_SECRET)).status, 410);
  customers.save({ id: 'lantern', organization_id: null, event_secret: null });
  assert.equal((await deliver('org_lantern', LANTERN_SECRET)).status, 410);
  assert.deepEqual(received, []);
});
