import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '@connect-embed/api/test-support/app/start-api';
import type { ServerProcess } from '@connect-embed/api/test-support/processes/processes';
import { createApiKey } from '@connect-embed/api/auth/api-key';
import { DEMO_ORGANIZATION_ID } from '@connect-embed/api/db/seed';
import { resourceEvent } from '@connect-embed/api/webhooks/enqueue-event';
import { createWebhooks } from '@connect-embed/api/webhooks/webhooks';
import { newSecret, secretOf } from '@connect-embed/api/webhooks/secrets';
import { openService } from '../../test-support/open-service.ts';

const API_SECRET = 's'.repeat(32);
const METRICS_TOKEN = 'a token for Prometheus';
const OLD_METRICS_TOKEN = 'the former token for Prometheus';
const WITH_TOKEN = { headers: { authorization: `Bearer ${METRICS_TOKEN}` } };

const { db, start } = await openService({
  API_SECRET,
  METRICS_TOKEN: `${METRICS_TOKEN},${OLD_METRICS_TOKEN}`,
});
const api = await start(['--role', 'api', '--seed']);
const { id: credential_id, token } = await createApiKey(db, {
  organizationId: DEMO_ORGANIZATION_ID,
  name: 'test',
  scopes: ['webhooks:write', 'donations:read'],
});

/** Enqueues a webhook event for an endpoint whose private address every worker rejects. */
async function enqueueDelivery(): Promise<void> {
  const webhooks = createWebhooks({ secret: API_SECRET, baseUrl: api.url, livemode: false });
  const endpoint = {
    id: 'we_roles',
    organization_id: DEMO_ORGANIZATION_ID,
    credential_id,
    url: 'https://10.0.0.1/hook',
    events: ['donation.created'],
    encrypted_secret: await webhooks.secretEncrypter.encrypt(
      newSecret(),
      secretOf(DEMO_ORGANIZATION_ID),
    ),
  };
  await db.insertInto('webhook_endpoint').values(endpoint).execute();
  const event = resourceEvent('donation.created', DEMO_ORGANIZATION_ID, 'don_1');
  await db.transaction().execute((tx) => webhooks.enqueue(tx, event));
}

const countAttempts = async () =>
  (await db.selectFrom('webhook_delivery').select('attempts').executeTakeFirstOrThrow()).attempts;

let worker: ServerProcess;

describe('a process with --role api', () => {
  test('serves requests, and leaves deliveries to the workers', async () => {
    await enqueueDelivery();
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await fetch(`${api.url}/api/v1/donations`, { headers })).status, 200);
    // The start of a worker takes longer than a pass, in which this process would attempt the delivery.
    worker = await start(['--role', 'worker']);
    assert.equal(await eventually(async () => (await countAttempts()) || undefined), 1);
    await eventually(async () => worker.log().includes('"webhook attempt"') || undefined);
    assert.ok(!api.log().includes('"webhook attempt"'));
  });
});

describe('a process with --role worker', () => {
  test('serves only health checks and metrics', async () => {
    for (const path of ['/healthz', '/readyz']) {
      assert.equal((await fetch(worker.url + path)).status, 200);
    }
    for (const path of ['/api/v1/donations', '/docs', '/sign-in', '/processor-events']) {
      assert.equal((await fetch(worker.url + path)).status, 404, path);
    }
    assert.equal((await fetch(`${worker.url}/metrics`, WITH_TOKEN)).status, 200);
  });
});

test('an unknown role is rejected by name', async () => {
  await assert.rejects(start(['--role', 'boss']), /ended with 1:\n--role must be api, worker/);
});

describe('GET /metrics', () => {
  test('reports requests by route, connections and the delivery queue', async () => {
    await fetch(`${api.url}/api/v1/events/event_gala`);
    await fetch(`${api.url}/nowhere/ada@example.org`);
    const response = await fetch(`${api.url}/metrics`, WITH_TOKEN);
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    const count = 'connect_http_request_duration_seconds_count';
    assert.match(text, new RegExp(`${count}{.*route="/api/v1/events/:id",status="401"} 1`));
    assert.match(text, new RegExp(`${count}{.*route="none",status="404"} 1`));
    assert.match(text, /connect_webhook_deliveries_pending \d/);
    assert.match(text, /connect_webhook_delivery_lateness_seconds \d/);
    assert.match(text, /connect_mail_lateness_seconds \d/);
    assert.match(text, /connect_queue_dead_rows{table="webhook_delivery"} \d/);
    assert.match(text, /connect_workers [1-9]/);
    assert.match(text, /connect_database_connections{state="idle"} \d/);
    assert.match(text, /process_cpu_seconds_total/);
    assert.doesNotMatch(text, /ada@|event_gala|gb_live/);
  });

  test('accepts two tokens during a rotation, and the old one no longer afterwards', async () => {
    const headers = { authorization: `Bearer ${OLD_METRICS_TOKEN}` };
    assert.equal((await fetch(`${api.url}/metrics`, { headers })).status, 200);
    const rotated = await start(['--role', 'worker'], { METRICS_TOKEN });
    assert.equal((await fetch(`${rotated.url}/metrics`, { headers })).status, 401);
    assert.equal((await fetch(`${rotated.url}/metrics`, WITH_TOKEN)).status, 200);
  });

  test('requires its token, and does not exist without METRICS_TOKEN', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: 'Basic eA==' },
    ]) {
      assert.equal((await fetch(`${api.url}/metrics`, { headers })).status, 401);
    }
    const processWithoutToken = await start(['--role', 'worker'], { METRICS_TOKEN: '' });
    assert.equal((await fetch(`${processWithoutToken.url}/metrics`, WITH_TOKEN)).status, 404);
  });
});
