import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { HandledEvents, ReceivedEvent } from '../index.ts';
import { errorOf, openServer } from '../test-support/embedding-page.ts';

const API = 'http://127.0.0.1:9/api/v1';
const secretOf = (character: string) => `whsec_${btoa(character.repeat(32))}`;
const [SECRET, OTHER, UNKNOWN] = [secretOf('a'), secretOf('b'), secretOf('c')];

const event = (id = 'evt_1', type = 'donation.created'): ReceivedEvent => ({
  id,
  object: 'event',
  type,
  created_at: '2026-11-21T00:00:00.000Z',
  livemode: false,
  organization_id: 'org_1',
  related_object: { id: 'don_1', object: 'donation', url: `${API}/donations/don_1` },
});

/** Signs an event as the API does: one signature for each secret. */
const signEvent = (payload: object, secrets: string[], at = new Date()) =>
  signText(JSON.stringify(payload), secrets, at, (payload as { id: string }).id);

function signText(body: string, secrets: string[], at = new Date(), id = 'evt_1') {
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': secrets
        .map((secret) => new Webhook(secret).sign(id, at, body))
        .join(' '),
    },
  };
}

function openTestServer(options: Partial<Parameters<typeof openServer>[1]> = {}) {
  const handled: ReceivedEvent[] = [];
  const testServer = openServer(API, {
    webhookSecrets: [SECRET],
    onEvent: (receivedEvent) => void handled.push(receivedEvent),
    ...options,
  });
  const deliver = async ({ body, headers }: ReturnType<typeof signEvent>) =>
    await testServer.server.request('/webhooks', { method: 'POST', body, headers });
  return { ...testServer, handled, deliver };
}

describe('POST /webhooks', () => {
  test('calls the hook with a signed event and returns 204', async () => {
    const { deliver, handled } = openTestServer();
    const response = await deliver(signEvent(event(), [SECRET]));
    assert.equal(response.status, 204);
    assert.equal(await response.text(), '');
    assert.deepEqual(handled, [event()]);
  });

  for (const [condition, signingSecrets, configuredSecrets] of [
    ['only the sender has rotated the secret', [UNKNOWN, SECRET], [SECRET]],
    ['the receiver has both secrets', [OTHER], [SECRET, OTHER]],
    ['sender and receiver have both secrets', [OTHER, SECRET], [SECRET, OTHER]],
  ] as const) {
    test(`verifies when ${condition}`, async () => {
      const { deliver, handled } = openTestServer({ webhookSecrets: [...configuredSecrets] });
      assert.equal((await deliver(signEvent(event(), [...signingSecrets]))).status, 204);
      assert.equal(handled.length, 1);
    });
  }

  test('calls the hook once for a repeated event, whether later or at the same time', async () => {
    const { deliver, handled } = openTestServer({
      onEvent: async (receivedEvent) => {
        // The other two events arrive while the hook runs.
        await new Promise((done) => setTimeout(done, 50));
        handled.push(receivedEvent);
      },
    });
    const deliverEvent = () => deliver(signEvent(event(), [SECRET]));
    const responses = await Promise.all([deliverEvent(), deliverEvent(), deliverEvent()]);
    assert.equal(handled.length, 1);
    responses.push(await deliverEvent());
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([204]));
    assert.equal(handled.length, 1);
  });

  test('returns 503 when the hook fails, and calls it again for the retry', async () => {
    let failing = true;
    const { deliver, handled, lines } = openTestServer({
      onEvent: (receivedEvent) => {
        if (failing) throw new Error('the ledger is closed');
        handled.push(receivedEvent);
      },
    });
    const response = await deliver(signEvent(event(), [SECRET]));
    assert.ok(Number(response.headers.get('retry-after')) > 0);
    assert.partialDeepStrictEqual(await errorOf(response), { status: 503, type: 'unavailable' });
    assert.match(JSON.stringify(lines), /the ledger is closed/);
    failing = false;
    assert.equal((await deliver(signEvent(event(), [SECRET]))).status, 204);
    assert.equal(handled.length, 1);
  });

  test('accepts an unknown event type', async () => {
    const { deliver, handled } = openTestServer();
    await deliver(signEvent({ ...event('evt_2', 'fund.created'), more: true }, [SECRET]));
    assert.equal(handled[0]!.type, 'fund.created');
  });

  test('shares handled events with other processes', async () => {
    const ids = new Set<string>();
    const handledEvents: HandledEvents = {
      claim: async (id) => !ids.has(id) && Boolean(ids.add(id)),
      release: async (id) => void ids.delete(id),
    };
    const [item, other] = [openTestServer({ handledEvents }), openTestServer({ handledEvents })];
    assert.equal((await item.deliver(signEvent(event(), [SECRET]))).status, 204);
    assert.equal((await other.deliver(signEvent(event(), [SECRET]))).status, 204);
    assert.deepEqual([item.handled.length, other.handled.length], [1, 0]);
  });

  test('loses no event when the process that had claimed it ends', async () => {
    const states = new Map<string, 'claimed' | 'handled'>();
    let minutesPass = false;
    const handledEvents: HandledEvents = {
      claim: async (id) => {
        const state = states.get(id);
        if (state === 'handled') return false;
        if (state === 'claimed' && !minutesPass) return 'in_progress';
        return Boolean(states.set(id, 'claimed'));
      },
      finish: async (id) => void states.set(id, 'handled'),
      release: async (id) => void states.delete(id),
    };
    const ending = Promise.withResolvers<void>();
    const endingServer = openTestServer({
      handledEvents,
      onEvent: () => new Promise(() => ending.resolve()),
    });
    void endingServer.deliver(signEvent(event(), [SECRET])); // Never responds.
    await ending.promise;
    const other = openTestServer({ handledEvents });
    assert.equal((await other.deliver(signEvent(event(), [SECRET]))).status, 503);
    assert.equal(other.handled.length, 0);
    minutesPass = true;
    for (let times = 0; times < 2; times++) {
      assert.equal((await other.deliver(signEvent(event(), [SECRET]))).status, 204);
    }
    assert.equal(other.handled.length, 1);
  });

  test('calls the hook once, also when the store could not record that the event was handled', async () => {
    const states = new Set<string>();
    const handledEvents: HandledEvents = {
      claim: (id) => !states.has(id) && Boolean(states.add(id)),
      finish: () => Promise.reject(new Error('the store is away')),
      release: (id) => void states.delete(id),
    };
    const { deliver, handled, lines } = openTestServer({ handledEvents });
    for (let times = 0; times < 2; times++) {
      assert.equal((await deliver(signEvent(event(), [SECRET]))).status, 204);
    }
    assert.equal(handled.length, 1);
    assert.match(JSON.stringify(lines), /the store is away/);
  });

  const valid = signEvent(event(), [SECRET]);
  for (const [description, sent] of [
    ['signed with another secret', signEvent(event(), [UNKNOWN])],
    ['without a signature', { ...valid, headers: { 'content-type': 'application/json' } }],
    ['with a changed body', { ...valid, body: valid.body.replace('don_1', 'don_2') }],
    ['with another id', { ...valid, headers: { ...valid.headers, 'webhook-id': 'evt_2' } }],
    ['ten minutes old', signEvent(event(), [SECRET], new Date(Date.now() - 600_000))],
    ['ten minutes in the future', signEvent(event(), [SECRET], new Date(Date.now() + 600_000))],
    [
      'with a malformed signature',
      { ...valid, headers: { ...valid.headers, 'webhook-signature': 'v1' } },
    ],
    [
      'with a number that is not a timestamp',
      { ...valid, headers: { ...valid.headers, 'webhook-timestamp': '1e9' } },
    ],
  ] as const) {
    test(`rejects an event ${description}`, async () => {
      const { deliver, handled } = openTestServer();
      const response = await deliver(sent as ReturnType<typeof signEvent>);
      assert.deepEqual(await errorOf(response), {
        status: 400,
        type: 'invalid_request',
        message: 'webhook-signature does not match the body, or has expired.',
      });
      assert.equal(handled.length, 0);
    });
  }

  for (const [body, field] of [
    ['null', 'body'],
    ['{', 'body'],
    ['', 'body'],
    ['[]', 'body'],
    [JSON.stringify({ id: 'evt_1' }), 'object'],
    [JSON.stringify({ ...event(), type: null }), 'type'],
    [JSON.stringify({ ...event(), id: { toString: 1 } }), 'id'],
    [JSON.stringify({ ...event(), related_object: '__proto__' }), 'related_object'],
  ] as const) {
    test(`rejects a signed body that is not an event, and names ${field}: ${body}`, async () => {
      const { deliver, handled } = openTestServer();
      const problem = await errorOf(await deliver(signText(body, [SECRET])));
      assert.partialDeepStrictEqual(problem, { status: 400, type: 'invalid_request' });
      assert.ok(problem.message.startsWith(`${field} `), problem.message);
      assert.equal(handled.length, 0);
    });
  }

  test('rejects duplicate timestamp headers, because only one of them would be verified', async () => {
    const { deliver, handled } = openTestServer();
    const later = new Date(Date.now() + 4_000_000);
    const sent = signEvent(event(), [SECRET], later);
    const future = sent.headers['webhook-timestamp'];
    const now = String(Math.floor(Date.now() / 1000));
    for (const timestamps of [`${now}, ${future}`, `${future}, ${now}`, `${now},${future}`]) {
      const headers = { ...sent.headers, 'webhook-timestamp': timestamps };
      assert.equal((await deliver({ ...sent, headers })).status, 400);
    }
    assert.equal(handled.length, 0);
  });

  test('is rejected until a hook and a secret are configured', async () => {
    for (const { deliver } of [
      openTestServer({ webhookSecrets: [] }),
      openTestServer({ onEvent: undefined }),
    ]) {
      const { status, message } = await errorOf(await deliver(valid));
      assert.equal(status, 403);
      assert.match(message, /onEvent.*WEBHOOK_SECRET/);
    }
  });

  test('limits the body, and allows POST only', async () => {
    const { deliver, server } = openTestServer();
    const oversized = await deliver(signEvent({ ...event(), more: 'x'.repeat(70_000) }, [SECRET]));
    assert.equal(oversized.status, 413);
    assert.equal((await server.request('/webhooks')).status, 405);
  });

  test('an invalid secret is an error at start', () => {
    for (const secret of ['secret', 'whsec_', 'whsec_no*base64']) {
      assert.throws(
        () => openTestServer({ webhookSecrets: [secret] }),
        /webhookSecrets\.0 must be a whsec_/,
      );
    }
  });
});
