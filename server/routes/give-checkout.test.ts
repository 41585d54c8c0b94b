import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openServer } from '../test-support/embedding-page.ts';
import { errorResponse, startUpstream } from '../test-support/upstream.ts';

let clock = Date.parse('2026-03-01T12:00:00Z');
const now = () => clock;
const upstream = await startUpstream({ now });

const PUBLIC_URL = 'https://give.example.org';
const KEY = '1f0f5a52-7d0b-4bde-9d4e-0f4a53a5f9d1';
const DONOR = { name: 'Ada Lovelace', email: 'ada@example.org' };
const HOSTILE = '"><script>alert(1)</script>\u0000';
const PRESETS = { preset_amounts_cents: [2500, 5000], min_amount_cents: 500 };

const open = (terms: object = PRESETS, config: object = {}) =>
  openServer(upstream.apiBase, {
    now,
    publicUrl: PUBLIC_URL,
    forms: { gala: terms },
    ...config,
  }).server;

/** Sends the form as a browser without JavaScript does. */
async function submit(
  fields: Record<string, string> = {},
  { server = open(), headers = {}, path = '/give/gala' } = {},
) {
  const response = await server.request(path, {
    method: 'POST',
    headers: { origin: PUBLIC_URL, ...headers },
    body: new URLSearchParams({ key: KEY, amount: '2500', ...DONOR, ...fields }),
  });
  return { response, status: response.status, text: await response.text() };
}

const sent = () => upstream.callsOf('/checkout-sessions').map(({ body }) => body);

/** Returns the message at a field. */
const problemAt = (text: string, field: string) =>
  new RegExp(`<p class="problem" id="${field}-problem">([^<]*)</p>`).exec(text)?.[1];
const noticeIn = (text: string) => /role="alert">([^<]*)</.exec(text)?.[1];

describe('the form of a giving page without JavaScript', () => {
  test('offers what the terms allow', async () => {
    const server = open({
      ...PRESETS,
      default_amount_cents: 5000,
      frequencies: ['one_time', 'monthly'],
      fund_choice_ids: ['fund_a', 'fund_b'],
      fee_cover: 'preselected',
      allow_anonymous: true,
      allow_comment: true,
    });
    const text = await (await server.request('/give/gala?fund=fund_b')).text();
    assert.match(text, /value="5000"\s+required\s+checked/);
    assert.match(text, /<option value="fund_b" selected>/);
    assert.match(text, /name="coverFee" value="yes" checked/);
    assert.match(text, /name="anonymous" value="yes"\s*\/>/);
    assert.match(text, /<textarea[^>]* name="comment"/);
    assert.doesNotMatch(text, /name="dedication"/);
    assert.match(text, /Recurring gifts need JavaScript/);
  });

  test('offers no other amount if the amounts are fixed', async () => {
    const server = open({ ...PRESETS, amount_locked: true });
    const text = await (await server.request('/give/gala?amount=50')).text();
    assert.match(text, /value="5000"\s+required\s+checked/);
    assert.doesNotMatch(text, /name="other"/);
  });

  test('selects the only amount that is possible', async () => {
    const server = open({ preset_amounts_cents: [4000], amount_locked: true });
    const text = await (await server.request('/give/gala')).text();
    assert.match(text, /value="4000"\s+required\s+checked/);
  });

  test('selects the amount of a link', async () => {
    const text = await (await open().request('/give/gala?amount=12.50')).text();
    assert.match(text, /value="other"\s+required\s+checked/);
    assert.match(text, /name="other"\s+value="12\.50"/);
  });

  test('writes the amount of a link as the donor does, so that it is read as the same', async () => {
    const server = open();
    const headers = { 'accept-language': 'de' };
    const text = await (await server.request('/give/gala?amount=1250.50', { headers })).text();
    const [, other = ''] = /name="other"\s+value="([^"]*)"/.exec(text) ?? [];
    assert.equal(other, '1.250,50');
    await submit({ amount: 'other', other }, { server, headers });
    assert.partialDeepStrictEqual(sent(), [{ amount_cents: 125_050 }]);
  });

  test('has a key of its own each time, which no cache may share', async () => {
    const server = open();
    const keys = [];
    for (let view = 0; view < 2; view += 1) {
      const response = await server.request('/give/gala');
      assert.equal(response.headers.get('cache-control'), 'no-cache, private');
      keys.push(/name="key" value="([\w-]{36})"/.exec(await response.text())?.[1]);
    }
    assert.ok(keys[0]);
    assert.notEqual(keys[0], keys[1]);
  });

  test('is missing if the server does not know its public address', async () => {
    const server = open(PRESETS, { publicUrl: undefined });
    const text = await (await server.request('/give/gala')).text();
    assert.doesNotMatch(text, /<form/);
    assert.match(text, /This form needs JavaScript/);
  });
});

describe('POST /give/{form}', () => {
  test('redirects to the payment page, with the session and terms of the form', async () => {
    const { response, status } = await submit();
    assert.equal(status, 303);
    assert.match(response.headers.get('location') ?? '', /^http:\/\/localhost:4300\/checkout\//);
    const [body] = sent() as [Record<string, unknown>];
    assert.match(String(body['embed_session_id']), /^es_/);
    assert.partialDeepStrictEqual(body, {
      amount_cents: 2500,
      donor_name: DONOR.name,
      donor_email: DONOR.email,
      success_url: `${PUBLIC_URL}/give/gala?thanks={CHECKOUT_SESSION_ID}`,
      cancel_url: `${PUBLIC_URL}/give/gala?amount=25.00`,
    });
    assert.ok(upstream.callsOf('/checkout-sessions')[0]!.headers['connect-donor-context']);
  });

  test('sends everything that the form offers', async () => {
    const server = open({
      ...PRESETS,
      fund_choice_ids: ['fund_a', 'fund_b'],
      fee_cover: 'offered',
      allow_anonymous: true,
      allow_comment: true,
      allow_dedication: true,
      success_url: 'https://harborstreet.example/thanks',
    });
    const fields = {
      amount: 'other',
      other: '1.250,50 $',
      fund: 'fund_b',
      coverFee: 'yes',
      anonymous: 'yes',
      dedication: ' Grace ',
      comment: 'one\r\ntwo',
    };
    const { status } = await submit(fields, { server, headers: { 'accept-language': 'de-AT' } });
    assert.equal(status, 303);
    const [body] = sent() as [Record<string, unknown>];
    assert.partialDeepStrictEqual(body, {
      amount_cents: 128_816,
      fee_cover_cents: 3766,
      fund_id: 'fund_b',
      metadata: { dedication: 'Grace', comment: 'one\ntwo', anonymous: 'true', locale: 'de-AT' },
      success_url: 'https://harborstreet.example/thanks',
      cancel_url: `${PUBLIC_URL}/give/gala?amount=1250.50&fund=fund_b`,
    });
  });

  test('creates one payment page for a form that is submitted twice', async () => {
    const server = open();
    const [first, second, changed] = [
      await submit({}, { server }),
      await submit({}, { server }),
      await submit({ amount: '5000' }, { server }),
    ].map(({ response }) => response.headers.get('location'));
    assert.equal(first, second);
    assert.notEqual(first, changed);
    clock += 3_600_000; // The browser may keep the page for long.
    const { response } = await submit({}, { server });
    assert.equal(response.headers.get('location'), first);
  });

  test('asks for the status of a payment page only if the form is submitted again', async () => {
    const server = open();
    const key = crypto.randomUUID();
    await submit({ key }, { server });
    const statusRequests = () =>
      upstream.calls.filter(({ path }) => path.includes('/checkout-sessions/'));
    assert.equal(statusRequests().length, 0);
    await submit({ key }, { server });
    assert.equal(statusRequests().length, 1);
  });

  test('creates another payment page if the one before has expired, one for two clicks', async () => {
    const server = open();
    const key = crypto.randomUUID();
    const next = async () => (await submit({ key }, { server })).response.headers.get('location');
    const first = await next();
    upstream.endCheckout(first!, 'expired');
    const second = await next();
    assert.ok(second);
    assert.notEqual(second, first);
    assert.equal(await next(), second);
  });

  test('creates four payment pages at most', async () => {
    const server = open();
    const key = crypto.randomUUID();
    const pages = new Set<string>();
    for (let page = 0; page < 4; page += 1) {
      const { response } = await submit({ key }, { server });
      const url = response.headers.get('location')!;
      pages.add(url);
      upstream.endCheckout(url, 'expired');
    }
    assert.equal(pages.size, 4);
    const earlier = sent().length;
    const { status, text } = await submit({ key }, { server });
    assert.equal(status, 429);
    assert.equal(sent().length - earlier, 4);
    assert.match(noticeIn(text) ?? '', /You were not charged\. Try again in a few minutes\./);
  });

  for (const [place, terms, location] of [
    ['the page', {}, `${PUBLIC_URL}/give/gala?thanks={ID}`],
    [
      'the website',
      { success_url: 'https://harborstreet.example/thanks' },
      'https://harborstreet.example/thanks',
    ],
  ] as const) {
    test(`thanks a donor who has already paid on ${place}`, async () => {
      const server = open({ ...PRESETS, ...terms });
      const key = crypto.randomUUID();
      const { response } = await submit({ key }, { server });
      const id = upstream.endCheckout(response.headers.get('location')!, 'complete');
      const { response: second } = await submit({ key }, { server });
      assert.equal(second.headers.get('location'), location.replace('{ID}', id));
      // Chromium follows the redirect of a form only to the origins that the policy of its page names.
      const page = await server.request('/give/gala');
      const policy = page.headers.get('content-security-policy') ?? '';
      const { origin } = new URL(location);
      const allowed = origin === PUBLIC_URL ? "'self'" : origin;
      assert.ok(/; form-action ([^;]*);/.exec(policy)?.[1]?.split(' ').includes(allowed), policy);
    });
  }

  test('uses a new session if the API has revoked the old one', async () => {
    let revoked = true;
    upstream.failWith(({ path }) => {
      if (!revoked || !path.endsWith('/checkout-sessions')) return undefined;
      revoked = false;
      const error = { code: 'embed_session_expired', param: 'embed_session_id' } as const;
      return errorResponse(400, 'invalid_request', 'expired', {}, error);
    });
    assert.equal((await submit()).status, 303);
    const [first, second] = sent() as { embed_session_id: string }[];
    assert.notEqual(first!.embed_session_id, second!.embed_session_id);
  });

  test('waits for an earlier submission of the same page', async () => {
    let isInUse = true;
    upstream.failWith(({ path }) => {
      if (!isInUse || !path.endsWith('/checkout-sessions')) return undefined;
      isInUse = false;
      return errorResponse(409, 'conflict', 'in use', {}, { code: 'idempotency_key_in_use' });
    });
    assert.equal((await submit()).status, 303);
    assert.equal(sent().length, 2);
  });

  for (const [name, fields, field, message] of [
    ['no amount', { amount: '' }, 'amount', 'Choose an amount, or enter your own.'],
    ['another amount that is empty', { amount: 'other' }, 'amount', 'Choose an amount, or'],
    ['an amount that is none', { amount: 'other', other: 'ten' }, 'amount', 'Enter an amount'],
    ['a small amount', { amount: 'other', other: '4.99' }, 'amount', 'The minimum gift is $5.'],
    ['a large amount', { amount: 'other', other: '1e9' }, 'amount', 'Enter an amount, such as'],
    ['an amount above the limit', { amount: 'other', other: '9999999' }, 'amount', 'The maximum'],
    ['no name', { name: ' ' }, 'name', 'Enter your name.'],
    ['a name with control characters', { name: 'Ada\u0000' }, 'name', 'Enter a shorter or simpler'],
    ['no email address', { email: '' }, 'email', 'Enter your email address.'],
    ['an invalid email address', { email: 'ada@' }, 'email', 'Enter an email address, such as'],
    ['a fund that is not offered', { fund: 'fund_x' }, 'fund', 'We could not process this gift.'],
    ['a long message', { comment: 'x'.repeat(501) }, 'comment', 'We could not process this gift.'],
    ['hostile values', { name: HOSTILE, email: HOSTILE, comment: HOSTILE }, 'email', 'Enter an'],
  ] as const) {
    test(`shows ${name} at its field, and keeps what was typed`, async () => {
      const server = open({
        ...PRESETS,
        max_amount_cents: 100_000,
        fund_choice_ids: ['fund_a', 'fund_b'],
        allow_comment: true,
      });
      const typed: Record<string, string> = { fund: 'fund_b', comment: 'For Grace', ...fields };
      const { response, status, text } = await submit(typed, { server });
      assert.equal(status, 400);
      assert.ok(problemAt(text, field)?.startsWith(message), problemAt(text, field));
      assert.match(text, new RegExp(`name="key" value="${KEY}"`));
      assert.match(text, / autofocus/);
      // Also a donor who has turned JavaScript on meanwhile sees this form, and not the element.
      assert.doesNotMatch(text, /<noscript>|<connect-donate/);
      const escape = (value: string) =>
        value
          .replaceAll('&', '&amp;')
          .replaceAll('"', '&quot;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;');
      for (const key of ['name', 'email', 'other'] as const) {
        const value = { other: '', ...DONOR, ...typed }[key];
        assert.ok(text.includes(`name="${key}"`) && text.includes(`value="${escape(value)}"`), key);
      }
      assert.ok(text.includes(`>\n${escape(typed['comment']!)}</textarea`));
      assert.doesNotMatch(text, /<script>/);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(sent().length, 0);
    });
  }

  test('shows an error of the API at its field', async () => {
    const error = { param: 'amount_cents' };
    upstream.failWith(({ path }) =>
      path.endsWith('/checkout-sessions')
        ? errorResponse(400, 'invalid_request', 'must be a multiple of 100.', {}, error)
        : undefined,
    );
    const { status, text } = await submit();
    assert.equal(status, 400);
    assert.equal(problemAt(text, 'amount'), 'This amount is not accepted. Choose another.');
  });

  for (const [status, type, message] of [
    [503, 'unavailable', 'We could not reach the server. You were not charged. Try again.'],
    [500, 'server_error', 'We could not reach the server.'],
    [403, 'forbidden', 'We could not reach the server.'],
    [409, 'conflict', 'We could not process this gift. You were not charged.'],
    [428, 'proof_required', 'We are receiving many gifts right now, so we check each one.'],
  ] as const) {
    test(`keeps the form if the API responds ${status}`, async () => {
      upstream.failWith(({ path }) =>
        path.endsWith('/checkout-sessions') ? errorResponse(status, type, 'no') : undefined,
      );
      const { status: shown, text } = await submit();
      assert.equal(shown, status >= 500 || status === 403 ? 503 : status);
      assert.ok(noticeIn(text)?.startsWith(message), noticeIn(text));
      assert.match(text, /value="ada@example\.org"/);
    });
  }

  test('says that the page is unavailable if the API was never reached', async () => {
    upstream.failWith(() => errorResponse(503, 'unavailable', 'down'));
    const { status, text } = await submit();
    assert.equal(status, 503);
    assert.match(text, /not available right now/);
  });

  test('needs JavaScript for the check of a bot, and during an attack', async () => {
    const { status, text } = await submit({ website: 'https://spam.example' });
    assert.equal(status, 428);
    assert.match(noticeIn(text) ?? '', /The check works only with JavaScript/);
    assert.equal(sent().length, 0);
  });

  test('is limited', async () => {
    const server = open(PRESETS, { limits: { visitor: { points: 1, seconds: 60 } } });
    await submit({}, { server });
    const { response, status, text } = await submit({}, { server });
    assert.equal(status, 429);
    assert.ok(response.headers.get('retry-after'));
    assert.match(noticeIn(text) ?? '', /You were not charged\. Try again in a few minutes\./);
  });

  test('rejects the forms of other sites', async () => {
    for (const origin of ['https://evil.example', 'null', 'https://www.harborstreet.example', ''])
      assert.equal((await submit({}, { headers: { origin } })).status, 403, origin);
    assert.equal(upstream.calls.length, 0);
  });

  test('is never a failure of the server, whatever is sent', async () => {
    const server = open();
    for (const body of ['', '%', 'amount=2500&amount=x', '\u0000=1', '{"a":1}', 'key=x&name=%ff']) {
      const init = { method: 'POST', headers: { origin: PUBLIC_URL }, body };
      assert.equal((await server.request('/give/gala', init)).status, 400, body);
    }
    const large = { comment: 'x'.repeat(70_000) };
    assert.equal((await submit(large, { server })).status, 413);
    assert.equal((await submit({}, { server, path: '/give/none' })).status, 404);
    const monthly = open({ frequencies: ['monthly'] });
    assert.equal((await submit({}, { server: monthly })).status, 200);
    assert.equal(sent().length, 0);
  });

  test('logs nothing about the donor', async () => {
    const { server, lines } = openServer(upstream.apiBase, { now, publicUrl: PUBLIC_URL });
    await submit({ email: 'ada@' }, { server, path: '/give/default' });
    upstream.failWith(() => errorResponse(503, 'unavailable', 'down'));
    await submit({}, { server, path: '/give/default' });
    assert.doesNotMatch(JSON.stringify(lines), /\bada\b|Lovelace/i);
  });
});

describe('GET /give/{form}?thanks=', () => {
  /** Creates a payment page. Returns its URL. */
  const createPage = async () => {
    const { response } = await submit({ key: crypto.randomUUID() });
    return response.headers.get('location')!;
  };
  const openThanks = async (thanks: string, server = open()) => {
    const response = await server.request(`/give/gala?thanks=${encodeURIComponent(thanks)}`);
    return { status: response.status, text: await response.text() };
  };

  test('thanks the donor who has paid, with the reference', async () => {
    const { status, text } = await openThanks(upstream.endCheckout(await createPage(), 'complete'));
    assert.equal(status, 200);
    assert.match(text, /<h1>Thank you for your gift to Harbor Street Food Bank<\/h1>/);
    assert.match(text, /K7QM-4XTZ/);
    assert.match(text, /<meta name="robots" content="noindex"/);
    assert.match(text, /<a class="button" href="gala">Make another gift<\/a>/);
  });

  test('is the form if nobody has paid', async () => {
    const expired = upstream.endCheckout(await createPage(), 'expired');
    for (const id of [expired, 'cs_test_unknown', 'K7QM-4XTZ', '', 'x', HOSTILE]) {
      const { status, text } = await openThanks(id);
      assert.equal(status, 200, id);
      assert.match(text, /<connect-donate/, id);
      assert.doesNotMatch(text, /Thank you|<script>/, id);
    }
  });

  test('asks the API only about ids of payment pages', async () => {
    for (const id of ['K7QM-4XTZ', 'pi_123', '../forms', 'cs_', `cs_${'a'.repeat(300)}`])
      await openThanks(id);
    assert.deepEqual(
      upstream.calls.filter(({ path }) => path.includes('/checkout-sessions')),
      [],
    );
  });

  test('says that the page is not available, not that nobody has paid, if the API fails', async () => {
    const id = upstream.endCheckout(await createPage(), 'complete');
    upstream.failWith(({ path }) =>
      path.includes('/checkout-sessions/') ? errorResponse(503, 'unavailable', 'down') : undefined,
    );
    const { status, text } = await openThanks(id);
    assert.equal(status, 503);
    assert.match(text, /Completed donations are not affected/);
  });

  test('is limited for each address', async () => {
    const config = { limits: { setup: { points: 1, seconds: 60 } }, clientIp: () => '192.0.2.1' };
    const server = open(PRESETS, config);
    const id = upstream.endCheckout(await createPage(), 'complete');
    assert.equal((await openThanks(id, server)).status, 200);
    assert.equal((await openThanks(id, server)).status, 503);
  });
});
