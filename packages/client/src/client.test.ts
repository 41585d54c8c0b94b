import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import { Connect, ConnectError, type ConnectOptions, type Donation } from './index.ts';

const api = await startApi();
const { token } = await api.createKey();
const apiBase = `${api.url}/api/v1`;

interface Sent {
  method: string;
  path: string;
  key: string | null;
}

/** A client of the API, with the requests that it has sent. */
function openClient(options: Partial<ConnectOptions> = {}) {
  const sent: Sent[] = [];
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  const connect = new Connect({
    apiBase,
    token,
    ...options,
    fetch: (url, init) => {
      const { pathname, search } = new URL(url);
      const key = new Headers(init.headers).get('idempotency-key');
      sent.push({ method: init.method ?? 'GET', path: pathname.slice(7) + search, key });
      return send(url, init);
    },
  });
  return { connect, sent };
}

/** A network on which the first requests fail, and the others reach the API. */
const failFirst =
  (count: number, fail: () => Response, { after = false } = {}) =>
  async (url: string, init: RequestInit) => {
    if (count-- <= 0) return fetch(url, init);
    if (after) await fetch(url, init);
    return fail();
  };

const loseConnection = () => {
  throw new TypeError('fetch failed');
};

const rejection = (type: string, code?: string) => (error: unknown) =>
  error instanceof ConnectError && error.type === type && (!code || error.code === code);

describe('a list', () => {
  test('iterates over all resources, page by page, and stops where the loop ends', async () => {
    const { connect, sent } = openClient();
    const { data } = await connect.donations.list({ limit: 100 }).page();
    const ids: string[] = [];
    for await (const donation of connect.donations.list({ limit: 2 })) {
      if (ids.push(donation.id) === 3) break;
    }
    assert.deepEqual(
      ids,
      data.slice(0, 3).map(({ id }) => id),
    );
    assert.equal(sent.length, 3, 'one page of 100, and two of 2');
  });

  test('gives access to its pages', async () => {
    const { connect } = openClient();
    const list = connect.donations.list({ limit: 3 });
    const first = await list.page();
    assert.equal(first.data.length, 3);
    const second = await connect.donations.list({ limit: 3, cursor: first.next_cursor! }).page();
    const pages = [];
    for await (const page of list.pages()) if (pages.push(page.data) === 2) break;
    assert.deepEqual(pages, [first.data, second.data]);
  });

  test('applies its filters to every page', async () => {
    const { connect, sent } = openClient();
    const large: Donation[] = [];
    const filters = { amount_from_cents: 10_000, recurring: false, sort: 'amount_cents' } as const;
    for await (const donation of connect.donations.list({ ...filters, limit: 5 })) {
      if (large.push(donation) === 12) break;
    }
    assert.equal(large.length, 12);
    assert.ok(large.every((row) => row.amount_cents >= 10_000 && !row.recurring));
    assert.ok(
      large.every((row, at) => at === 0 || row.amount_cents >= large[at - 1]!.amount_cents),
    );
    assert.ok(sent.every(({ path }) => path.includes('recurring=false')));
    const { data } = await connect.donations.summary({ recurring: false });
    assert.equal(data[0]!.currency, 'usd');
  });

  test('are exported as a CSV file', async () => {
    const { connect } = openClient();
    const file = await connect.payouts.exportCsv({ status: 'paid', time_zone: 'Asia/Tokyo' });
    const [head, ...lines] = file.trimEnd().split('\r\n');
    assert.match(head!, /^Payout ID,Created \(Asia\/Tokyo\),/);
    assert.ok(lines.length > 0 && lines.every((line) => line.includes(',Paid,')));
  });
});

describe('an error', () => {
  test('has type, code and the invalid parameter', async () => {
    const { connect } = openClient();
    const list = connect.donations.list({ limit: 1000 });
    await assert.rejects(list.page(), { type: 'invalid_request', param: 'limit' });
    await assert.rejects(connect.donations.get('don/../x?'), rejection('not_found'));
  });

  test('names the missing scope, and is not repeated', async () => {
    const { token } = await api.createKey(['donations:read']);
    const { connect, sent } = openClient({ token });
    await assert.rejects(connect.donors.list().page(), {
      type: 'insufficient_scope',
      message: /donors:read/,
    });
    assert.equal(sent.length, 1);
  });
});

describe('a retry', () => {
  const create = (connect: Connect) => connect.embedSessions.create({ min_amount_cents: 500 });

  test('after a lost response creates nothing twice', async () => {
    const { connect, sent } = openClient({
      fetch: failFirst(1, loseConnection, { after: true }),
    });
    const count = async () =>
      Number((await api.pool.query('select count(*) from embed_session')).rows[0].count);
    const before = await count();
    assert.equal((await create(connect)).object, 'embed_session');
    assert.equal(await count(), before + 1);
    assert.equal(sent.length, 2);
    assert.match(sent[0]!.key ?? '', /^[0-9a-f]{32}$/);
    assert.equal(sent[0]!.key, sent[1]!.key);
  });

  test('waits for Retry-After', async () => {
    const busy = () => new Response('', { status: 429, headers: { 'retry-after': '1' } });
    const { connect, sent } = openClient({ fetch: failFirst(1, busy) });
    assert.equal((await connect.organization.get()).object, 'organization');
    assert.equal(sent.length, 2);
  });

  test('ends after the maximum, and when Retry-After is longer than the total wait', async () => {
    const none = openClient({ maxRetries: 0, fetch: loseConnection });
    await assert.rejects(none.connect.organization.get(), rejection('unavailable'));
    assert.equal(none.sent.length, 1);
    const busy = () => new Response('', { status: 429, headers: { 'retry-after': '3600' } });
    const long = openClient({ fetch: failFirst(9, busy) });
    await assert.rejects(long.connect.organization.get(), {
      type: 'rate_limited',
      retryAfterSeconds: 3600,
    });
    assert.equal(long.sent.length, 1);
  });

  test('does not repeat a DELETE whose response was lost', async () => {
    const { connect, sent } = openClient({ fetch: loseConnection });
    await assert.rejects(connect.webhooks.delete('we_1'), rejection('unavailable'));
    assert.equal(sent.length, 1);
  });
});

describe('a call', () => {
  test('ends at its timeout', async () => {
    const fetch = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason as Error));
      });
    const { connect } = openClient({ timeoutMs: 20, maxRetries: 0, fetch });
    await assert.rejects(connect.organization.get(), { message: /within 20 ms/ });
  });

  test('ends with the reason of its signal, also between two attempts', async () => {
    const abort = new AbortController();
    const { connect } = openClient({
      fetch: () => {
        abort.abort(new Error('The caller has left.'));
        return Promise.resolve(new Response('', { status: 503 }));
      },
    });
    const call = connect.organization.get({ signal: abort.signal });
    await assert.rejects(call, { message: 'The caller has left.' });
  });
});

test('a webhook endpoint can be created, changed and deleted', async () => {
  const { connect } = openClient();
  const url = 'https://93.184.216.34/hook';
  const created = await connect.webhooks.create({ url, events: ['donation.created'] });
  assert.match(created.secret, /^whsec_/);
  const changed = await connect.webhooks.update(created.id, { events: ['payout.paid'] });
  assert.deepEqual(changed.events, ['payout.paid']);
  assert.deepEqual((await connect.webhooks.list()).data, [changed]);
  assert.deepEqual(await connect.webhooks.delete(created.id), { id: created.id, deleted: true });
});

test('live changes are streamed to the token of a component session', async () => {
  const { connect, sent } = openClient();
  const session = await connect.componentSessions.create({ components: ['donations'] });
  const received: string[] = [];
  for await (const message of connect.live.stream({}, { token: session.token })) {
    received.push(message.event);
    if (message.event === 'open') assert.equal(message.data.resumed, false);
    if (message.event === 'beat') break;
  }
  assert.deepEqual(received, ['open', 'beat']);
  assert.equal(sent.at(-1)!.path, '/live');
  const refused = connect.live.stream({}, { token: 'gb_cs_none' });
  await assert.rejects(refused.next(), rejection('unauthorized'));
});
