import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openQueueWithEndpoint } from '@connect-embed/api/test-support/network/webhook-queue';
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts';

const queue = await openQueueWithEndpoint();
const { secret } = queue.endpointRef;
queue.startWorker([queue.receiver]);
await queue.enqueueEvents();
const [received] = await queue.receive(queue.receiver, 1);
const { headers, body } = received!;

describe('the verification of a delivered event', () => {
  test('returns the event, narrowed by its type', () => {
    const event = verifyWebhook(body, headers, secret);
    assert.equal(event.object, 'event');
    if (event.type === 'payout.paid') {
      const object: 'payout' = event.related_object.object;
      assert.fail(object);
    }
    assert.equal(event.type, 'donation.created');
    assert.equal(event.related_object.object, 'donation');
  });

  test('accepts the headers of Fetch, and one of two secrets', () => {
    const other = `whsec_${btoa('x'.repeat(32))}`;
    const event = verifyWebhook(body, new Headers(headers), [other, secret]);
    assert.equal(event.id, headers['webhook-id']);
  });

  test('accepts headers in title case, and a secret with white space around it', () => {
    const title = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
        value,
      ]),
    );
    assert.ok('Webhook-Id' in title);
    assert.equal(verifyWebhook(body, title, ` ${secret}\r\n`).id, headers['webhook-id']);
  });

  test('names a secret that cannot be read, and goes on with the next', () => {
    for (const broken of ['', '\n', 'whsec_', 'whsec_not base64!', '"whsec_"']) {
      assert.throws(() => verifyWebhook(body, headers, broken), {
        constructor: WebhookVerificationError,
        message: /webhook secret/,
      });
      assert.equal(verifyWebhook(body, headers, [broken, secret]).object, 'event');
    }
  });

  test('rejects another body, secret or age, and missing headers', () => {
    const other = `whsec_${btoa('x'.repeat(32))}`;
    const old = { ...headers, 'webhook-timestamp': '1700000000' };
    for (const [text, received, key] of [
      [`${body} `, headers, secret],
      [body, headers, other],
      [body, old, secret],
      [body, {}, secret],
      [body, headers, []],
    ] as const) {
      assert.throws(() => verifyWebhook(text, received, key), WebhookVerificationError);
    }
  });
});
