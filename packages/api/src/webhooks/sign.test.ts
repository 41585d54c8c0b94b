import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { WebhookEvent } from '@connect-embed/contract';
import { Webhook } from 'standardwebhooks';
import { openQueue, SECRET } from '../../test-support/network/webhook-queue.ts';
import { startReceiver, type Received } from '../../test-support/network/webhook-receiver.ts';
import { createColumnEncrypter } from '../lib/column-encrypter.ts';
import { newSecret, decryptSecrets, rotateSecret } from './secrets.ts';
import { signEvent } from './sign.ts';

const HOUR_MS = 3_600_000;

/**
 * Verifies a signature as Standard Webhooks specifies it, without the library that signs: HMAC-SHA256
 * of `id.timestamp.body`, keyed with the bytes of the secret.
 */
function verifyWithoutLibrary(
  secret: string,
  { headers, body }: Pick<Received, 'headers' | 'body'>,
) {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return headers['webhook-signature']!.split(' ').includes(expected);
}

const verifies = (secret: string, { headers, body }: Received) => {
  try {
    new Webhook(secret).verify(body, headers);
    return verifyWithoutLibrary(secret, { headers, body });
  } catch {
    assert.equal(verifyWithoutLibrary(secret, { headers, body }), false);
    return false;
  }
};

describe('a signature', () => {
  test('equals the published example of Standard Webhooks', () => {
    const headers = signEvent(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: new Date(1_614_265_330_000),
      body: '{"test": 2432232314}',
    });
    assert.deepEqual(headers, {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('is invalid if any part of the event was changed', () => {
    const secret = newSecret();
    const body = '{"id":"evt_1"}';
    const headers = { ...signEvent([secret], { id: 'evt_1', at: new Date(), body }) };
    const signedRequest = { headers, body, atMs: 0 };
    assert.ok(verifies(secret, signedRequest));
    assert.ok(!verifies(newSecret(), signedRequest));
    assert.ok(!verifies(secret, { ...signedRequest, body: '{"id":"evt_2"}' }));
    assert.ok(
      !verifies(secret, { ...signedRequest, headers: { ...headers, 'webhook-id': 'evt_2' } }),
    );
    const laterTimestamp = String(Number(headers['webhook-timestamp']) + 1);
    assert.ok(
      !verifies(secret, {
        ...signedRequest,
        headers: { ...headers, 'webhook-timestamp': laterTimestamp },
      }),
    );
  });

  test('uses a secret of 32 random bytes', () => {
    assert.match(newSecret(), /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(newSecret(), newSecret());
  });
});

describe('a webhook event', () => {
  test('contains its type, resource and URL, and nothing else', async () => {
    const { addEndpoint, enqueueEvents, receive, startWorker } = await openQueue();
    const receiver = await startReceiver(undefined, { secure: true });
    after(receiver.stop);
    const { secret } = await addEndpoint(receiver);
    startWorker([receiver]);
    await enqueueEvents();
    const [received] = await receive(receiver, 1);
    assert.ok(verifies(secret, received!));
    const event = WebhookEvent.strict().parse(JSON.parse(received!.body));
    assert.match(event.id, /^evt_/);
    assert.equal(event.id, received!.headers['webhook-id']);
    assert.deepEqual(
      { ...event, id: '', created_at: '' },
      {
        id: '',
        object: 'event',
        type: 'donation.created',
        created_at: '',
        livemode: false,
        organization_id: 'org_queue',
        related_object: {
          id: 'don_0',
          object: 'donation',
          url: 'https://api.example.org/api/v1/donations/don_0',
        },
      },
    );
    assert.equal(received!.headers['content-type'], 'application/json');
    assert.equal(received!.headers['authorization'], undefined);
  });
});

describe('a rotated secret', () => {
  test('signs together with the new one for 24 hours', async () => {
    const { db, addEndpoint, enqueueEvents, receive, startWorker } = await openQueue();
    const receiver = await startReceiver();
    after(receiver.stop);
    const encrypter = createColumnEncrypter(SECRET, 'webhook secret');
    const { id, secret: first } = await addEndpoint(receiver);
    let now = new Date();
    startWorker([receiver], { now: () => now });
    const rotatedAt = now.getTime();
    const second = await rotateSecret(db, encrypter, { id, organization_id: 'org_queue' }, now);
    let count = 0;
    /** Whether each secret verifies an event that is sent so many hours after the rotation. */
    const verifyingSecretsAfter = async (hours: number, secrets: string[]) => {
      now = new Date(rotatedAt + hours * HOUR_MS);
      await enqueueEvents();
      const received = (await receive(receiver, ++count)).at(-1)!;
      assert.equal(received.headers['webhook-timestamp'], String(Math.floor(now.getTime() / 1000)));
      return secrets.map((secret) => verifyWithoutLibrary(secret, received));
    };
    assert.deepEqual(await verifyingSecretsAfter(0, [first, second]), [true, true]);
    assert.deepEqual(await verifyingSecretsAfter(23.9, [first, second]), [true, true]);
    assert.deepEqual(await verifyingSecretsAfter(24.1, [first, second]), [false, true]);
  });

  test('twice in a day leaves the newest two', async () => {
    const { db, addEndpoint, enqueueEvents, receive, startWorker } = await openQueue();
    const receiver = await startReceiver();
    after(receiver.stop);
    const encrypter = createColumnEncrypter(SECRET, 'webhook secret');
    const { id, secret: first } = await addEndpoint(receiver);
    const second = await rotateSecret(
      db,
      encrypter,
      { id, organization_id: 'org_queue' },
      new Date(),
    );
    const third = await rotateSecret(
      db,
      encrypter,
      { id, organization_id: 'org_queue' },
      new Date(),
    );
    startWorker([receiver]);
    await enqueueEvents();
    const [received] = await receive(receiver, 1);
    const verified = [first, second, third].map((secret) => verifies(secret, received!));
    assert.deepEqual(verified, [false, true, true]);
    assert.equal(received!.headers['webhook-signature']!.split(' ').length, 2);
  });

  test('is not readable in the database, and decrypts only with the same API_SECRET', async () => {
    const { addEndpoint, endpoint } = await openQueue();
    const { id, secret } = await addEndpoint({ url: 'https://hooks.receiver.example/' });
    const row = await endpoint(id);
    assert.ok(!JSON.stringify(row).includes(secret.slice('whsec_'.length)));
    const open = (apiSecret: string) =>
      decryptSecrets(createColumnEncrypter(apiSecret, 'webhook secret'), row, new Date());
    assert.deepEqual(await open(SECRET), [secret]);
    await assert.rejects(open('another secret of thirty-two chars'), /API_SECRET/);
  });

  test('is not sent with the secret of another organization, or of another column', async () => {
    const { db, addEndpoint, endpoint } = await openQueue();
    const { id, secret } = await addEndpoint({ url: 'https://hooks.receiver.example/' });
    const encrypter = createColumnEncrypter(SECRET, 'webhook secret');
    const now = new Date();
    const second = await rotateSecret(db, encrypter, await endpoint(id), now);
    const row = await endpoint(id);
    assert.deepEqual(await decryptSecrets(encrypter, row, now), [second, secret]);
    const elsewhere = { ...row, organization_id: 'org_other' };
    await assert.rejects(decryptSecrets(encrypter, elsewhere, now), /another organization/);
    const swapped = {
      ...row,
      encrypted_secret: row.encrypted_previous_secret!,
      encrypted_previous_secret: row.encrypted_secret,
    };
    await assert.rejects(decryptSecrets(encrypter, swapped, now), /cannot be decrypted/);
  });

  test('can be replaced if it was lost with API_SECRET, and then signs alone', async () => {
    const { db, addEndpoint, endpoint } = await openQueue();
    const { id } = await addEndpoint({ url: 'https://hooks.receiver.example/' });
    const other = createColumnEncrypter('another secret of thirty-two chars', 'webhook secret');
    const secret = await rotateSecret(db, other, await endpoint(id), new Date());
    assert.deepEqual(await decryptSecrets(other, await endpoint(id), new Date()), [secret]);
  });
});
