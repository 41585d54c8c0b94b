import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { HandledEvents, ReceivedEvent } from '../index.ts';
import { errorOf, openServer } from '../test-support/embedding-page.ts';

const API = 'http://127.0.0.1:9/api/v1';
const secretOf = (letter: string) => `whsec_${btoa(letter.repeat(32))}`;
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
const sign = (notice: object, secrets: string[], at = new Date()) =>
  signText(JSON.stringify(notice), secrets, at, (notice as { id: string }).id);

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

function open(options: Partial<Parameters<typeof openServer>[1]> = {}) {
  const heard: ReceivedEvent[] = [];
  const rig = openServer(API, {
    webhookSecrets: [SECRET],
    onEvent: (notice) => void heard.push(notice),
    ...options,
  });
  const deliver = async ({ body, headers }: ReturnType<typeof sign>) =>
    await rig.server.request('/webhooks', { method: 'POST', body, headers });
  return { ...rig, heard, deliver };
}

describe('POST /webhooks', () => {
  test('calls the hook with a signed event and returns 204', async () => {
    const { deliver, heard } = open();
    const response = await deliver(sign(event(), [SECRET]));
    assert.equal(response.status, 204);
    assert.equal(await response.text(), '');
    assert.deepEqual(heard, [event()]);
  });

  for (const [condition, theirs, ours] of [
    ['only the sender has rotated the secret', [UNKNOWN, SECRET], [SECRET]],
    ['the receiver has both secrets', [OTHER], [SECRET, OTHER]],
    ['sender and receiver have both secrets', [OTHER, SECRET], [SECRET, OTHER]],
  ] as const) {
    test(`verifies when ${condition}`, async () => {
      const { deliver, heard } = open({ webhookSecrets: [...ours] });
      assert.equal((await deliver(sign(event(), [...theirs]))).status, 204);
      assert.equal(heard.length, 1);
    });
  }

  test('calls the hook once for a repeated event, whether later or at the same time', async () => {
    const { deliver, heard } = open({
      onEvent: async (notice) => {
        await new Promise((done) => setTimeout(done, 50));
        heard.push(notice);
      },
    });
    const notice = () => deliver(sign(event(), [SECRET]));
    const answers = await Promise.all([notice(), notice(), notice()]);
    assert.equal(heard.length, 1);
    answers.push(await notice());
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204]));
    assert.equal(heard.length, 1);
  });

  test('returns 503 when the hook fails, and calls it again for the retry', async () => {
    let failing = true;
    const { deliver, heard, lines } = open({
      onEvent: (notice) => {
        if (failing) throw new Error('the ledger is closed');
        heard.push(notice);
      },
    });
    const refused = await deliver(sign(event(), [SECRET]));
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.partialDeepStrictEqual(await errorOf(refused), { status: 503, type: 'unavailable' });
    assert.match(JSON.stringify(lines), /the ledger is closed/);
    failing = false;
    assert.equal((await deliver(sign(event(), [SECRET]))).status, 204);
    assert.equal(heard.length, 1);
  });

  test('accepts an unknown event type', async () => {
    const { deliver, heard } = open();
    await deliver(sign({ ...event('evt_2', 'fund.created'), more: true }, [SECRET]));
    assert.equal(heard[0]!.type, 'fund.created');
  });

  test('shares handled events with other processes', async () => {
    const ids = new Set<string>();
    const handledEvents: HandledEvents = {
      claim: async (id) => !ids.has(id) && Boolean(ids.add(id)),
      release: async (id) => void ids.delete(id),
    };
    const [item, other] = [open({ handledEvents }), open({ handledEvents })];
    assert.equal((await item.deliver(sign(event(), [SECRET]))).status, 204);
    assert.equal((await other.deliver(sign(event(), [SECRET]))).status, 204);
    assert.deepEqual([item.heard.length, other.heard.length], [1, 0]);
  });

  test('loses no event when the process that had claimed it ends', async () => {
    const kept = new Map<string, 'taken' | 'handled'>();
    let minutesPass = false;
    const handledEvents: HandledEvents = {
      claim: async (id) => {
        const state = kept.get(id);
        if (state === 'handled') return false;
        if (state === 'taken' && !minutesPass) return 'in_progress';
        return Boolean(kept.set(id, 'taken'));
      },
      finish: async (id) => void kept.set(id, 'handled'),
      release: async (id) => void kept.delete(id),
    };
    const ending = Promise.withResolvers<void>();
    const dying = open({ handledEvents, onEvent: () => new Promise(() => ending.resolve()) });
    void dying.deliver(sign(event(), [SECRET])); // Never responds.
    await ending.promise;
    const other = open({ handledEvents });
    assert.equal((await other.deliver(sign(event(), [SECRET]))).status, 503);
    assert.equal(other.heard.length, 0);
    minutesPass = true;
    for (let times = 0; times < 2; times++) {
      assert.equal((await other.deliver(sign(event(), [SECRET]))).status, 204);
    }
    assert.equal(other.heard.length, 1);
  });

  test('calls the hook once, also when the store could not record that the event was handled', async () => {
    const kept = new Set<string>();
    const handledEvents: HandledEvents = {
      claim: (id) => !kept.has(id) && Boolean(kept.add(id)),
      finish: () => Promise.reject(new Error('the store is away')),
      release: (id) => void kept.delete(id),
    };
    const { deliver, heard, lines } = open({ handledEvents });
    for (let times = 0; times < 2; times++) {
      assert.equal((await deliver(sign(event(), [SECRET]))).status, 204);
    }
    assert.equal(heard.length, 1);
    assert.match(JSON.stringify(lines), /the store is away/);
  });

  const good = sign(event(), [SECRET]);
  for (const [description, sent] of [
    ['signed with another secret', sign(event(), [UNKNOWN])],
    ['without a signature', { ...good, headers: { 'content-type': 'application/json' } }],
    ['with a changed body', { ...good, body: good.body.replace('don_1', 'don_2') }],
    ['with another id', { ...good, headers: { ...good.headers, 'webhook-id': 'evt_2' } }],
    ['ten minutes old', sign(event(), [SECRET], new Date(Date.now() - 600_000))],
    ['ten minutes in the future', sign(event(), [SECRET], new Date(Date.now() + 600_000))],
    [
      'with a malformed signature',
      { ...good, headers: { ...good.headers, 'webhook-signature': 'v1' } },
    ],
    [
      'with a number that is not a timestamp',
      { ...good, headers: { ...good.headers, 'webhook-timestamp': '1e9' } },
    ],
  ] as const) {
    test(`rejects an event ${description}`, async () => {
      const { deliver, heard } = open();
      const response = await deliver(sent as ReturnType<typeof sign>);
      assert.deepEqual(await errorOf(response), {
        status: 400,
        type: 'invalid_request',
        message: 'webhook-signature does not match the body, or has expired.',
      });
      assert.equal(heard.length, 0);
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
      const { deliver, heard } = open();
      const problem = await errorOf(await deliver(signText(body, [SECRET])));
      assert.partialDeepStrictEqual(problem, { status: 400, type: 'invalid_request' });
      assert.ok(problem.message.startsWith(`${field} `), problem.message);
      assert.equal(heard.length, 0);
    });
  }

  test('rejects duplicate timestamp headers, because only one of them would be verified', async () => {
    const { deliver, heard } = open();
    const late = new Date(Date.now() + 4_000_000);
    const sent = sign(event(), [SECRET], late);
    const future = sent.headers['webhook-timestamp'];
    const now = String(Math.floor(Date.now() / 1000));
    for (const time of [`${now}, ${future}`, `${future}, ${now}`, `${now},${future}`]) {
      const headers = { ...sent.headers, 'webhook-timestamp': time };
      assert.equal((await deliver({ ...sent, headers })).status, 400);
    }
    assert.equal(heard.length, 0);
  });

  test('is rejected until a hook and a secret are configured', async () => {
    for (const { deliver } of [open({ webhookSecrets: [] }), open({ onEvent: undefined })]) {
      const { status, message } = await errorOf(await deliver(good));
      assert.equal(status, 403);
      assert.match(message, /onEvent.*WEBHOOK_SECRET/);
    }
  });

  test('limits the body, and allows POST only', async () => {
    const { deliver, server } = open();
    const long = await deliver(sign({ ...event(), more: 'x'.repeat(70_000) }, [SECRET]));
    assert.equal(long.status, 413);
    assert.equal((await server.request('/webhooks')).status, 405);
  });

  test('an invalid secret is an error at start', () => {
    for (const secret of ['secret', 'whsec_', 'whsec_no*base64']) {
      assert.throws(() => open({ webhookSecrets: [secret] }), /webhookSecrets\.0 must be a whsec_/);
    }
  });
});
