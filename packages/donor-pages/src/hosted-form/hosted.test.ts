import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  CampaignProgress,
  EmbedSession,
  FormSession,
  PaymentIntent,
  PublicForm,
  type CreateEmbedSession,
} from '@connect-embed/contract';
import { createScriptsFolder } from '@connect-embed/api/test-support/processes/scripts-folder';
import {
  eventually,
  readServerError,
  readError,
  startApi,
  stripeAt,
} from '@connect-embed/api/test-support/app/start-api';
import {
  inlineCodeIn,
  readDocument,
  textOf,
} from '@connect-embed/api/test-support/browser/read-document';

const scripts = await createScriptsFolder();
const api = await startApi({ sandbox: true, env: { SCRIPTS_DIR: scripts } });
const { app, db, pool, url, post, createKey, logged, sandboxUrl } = api;
const { token } = await createKey(['payments:write']);
// Only the sites of a session may frame its page; those of the dashboard have tests of their own.
await db.deleteFrom('allowed_site').execute();

async function open(terms: CreateEmbedSession = {}): Promise<EmbedSession> {
  return EmbedSession.parse(await (await post('/embed-sessions', token, terms)).json());
}

const expire = (id: string) =>
  db.updateTable('embed_session').set({ expires_at: new Date() }).where('id', '=', id).execute();

type Headers = Record<string, string>;
const postToPage = async (path: string, body: object, headers: Headers = {}) =>
  await app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, ...headers },
    body: JSON.stringify(body),
  });
const createVisitorSession = ({ id }: EmbedSession, headers?: Headers) =>
  postToPage(`/embed/${id}/embed-sessions?form=${id}`, {}, headers);
const openFormSession = async (session: EmbedSession) =>
  FormSession.strict().parse(await (await createVisitorSession(session)).json());
const createPaymentIntent = (
  id: string,
  visitor: string,
  donation: object,
  headers: Headers = {},
) =>
  postToPage(`/embed/${id}/payment-intents`, donation, {
    authorization: `Bearer ${visitor}`,
    'idempotency-key': crypto.randomUUID(),
    ...headers,
  });

describe('GET /embed/{id}', () => {
  test('shows the donation form with the name of the organization', async () => {
    const { id, embed_url } = await open();
    assert.equal(embed_url, `${url}/embed/${id}`);
    const response = await app.request(`/embed/${id}`);
    const document = readDocument(await response.text());
    assert.equal(response.status, 200);
    assert.equal(document.title, 'Give to Harbor Street Food Bank');
    assert.equal(textOf(document, 'h1'), 'Harbor Street Food Bank');
    const form = document.querySelector('connect-donate#donate');
    assert.equal(form?.getAttribute('server'), embed_url);
    assert.equal(form.getAttribute('form'), id);
    assert.equal(form.getAttribute('display'), 'inline');
    assert.ok(document.querySelector('noscript'));
  });

  test('is in the visitor’s first language that is supported', async () => {
    const { id } = await open();
    const read = async (language: string, path = id) => {
      const headers = { 'accept-language': language };
      return readDocument(await (await app.request(`/embed/${path}`, { headers })).text());
    };
    const german = await read('pl, en;q=0.7, de-AT;q=0.9');
    assert.ok(german.querySelector('html[lang="de-AT"][dir="ltr"]'));
    assert.equal(german.title, 'Spenden für Harbor Street Food Bank');
    const arabic = await read('ar');
    assert.ok(arabic.querySelector('html[lang="ar"][dir="rtl"]'));
    assert.equal(arabic.title, 'التبرع لـ\u2068Harbor Street Food Bank\u2069');
    for (const language of ['', '*', 'pl', 'x;q=1;;,', 'de;q=0', ','.repeat(500)]) {
      assert.ok((await read(language)).querySelector('html[lang="en"][dir="ltr"]'), language);
    }
    assert.equal(textOf(await read('ja', 'es_nothing'), 'h1'), '寄付ページが見つかりません');
  });

  test('allows our script and Stripe’s, and no inline scripts or styles', async () => {
    const { id } = await open();
    const response = await app.request(`/embed/${id}`);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; /);
    assert.ok(policy.includes(`script-src 'self' ${sandboxUrl};`));
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*[ ;]/);
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.deepEqual(inlineCodeIn(readDocument(await response.text())), []);
  });

  test('can be framed only by the sites of its form', async () => {
    const sites = [
      'https://www.harborstreet.example',
      'http://localhost:4200',
      'https://*.pantry.example',
    ];
    const openInFrame = async (id: string, to = 'iframe') => {
      const response = await app.request(`/embed/${id}`, { headers: { 'sec-fetch-dest': to } });
      const { headers } = response;
      const [, ancestors] = /frame-ancestors (.*)$/.exec(headers.get('content-security-policy')!)!;
      return { ancestors, refused: headers.get('x-frame-options'), text: await response.text() };
    };
    const { id } = await open({ origins: sites });
    const page = await openInFrame(id);
    assert.equal(page.ancestors, sites.join(' '));
    assert.equal(page.refused, null);
    const document = readDocument(page.text);
    assert.equal(document.body.className, 'framed');
    assert.ok(document.querySelector(`[data-sites="${sites.join(' ')}"]`));
    assert.doesNotMatch((await openInFrame(id, 'document')).text, /framed/);

    const unframedPage = await openInFrame((await open()).id);
    assert.deepEqual([unframedPage.ancestors, unframedPage.refused], ["'none'", 'DENY']);
    assert.equal((await openInFrame('es_nothing')).ancestors, "'none'");
    await expire(id);
    const expiredPage = await openInFrame(id);
    assert.equal(expiredPage.ancestors, sites.join(' '));
    assert.match(expiredPage.text, /This donation page has expired/);
  });

  test('is light in a frame unless its URL sets a theme, and follows the system theme otherwise', async () => {
    const { id } = await open({ origins: ['https://www.harborstreet.example'] });
    const schemeOf = async (path: string, to: string) => {
      const response = await app.request(`/embed/${path}`, { headers: { 'sec-fetch-dest': to } });
      const document = readDocument(await response.text());
      return document.querySelector('meta[name="color-scheme"]')?.getAttribute('content');
    };
    assert.equal(await schemeOf(id, 'document'), 'light dark');
    assert.equal(await schemeOf(id, 'iframe'), 'light');
    for (const theme of ['light', 'dark', 'auto']) {
      const scheme = theme.replace('auto', 'light dark');
      assert.equal(await schemeOf(`${id}?theme=${theme}`, 'iframe'), scheme);
      assert.equal(await schemeOf(`es_nothing?theme=${theme}`, 'document'), scheme);
    }
    assert.equal(await schemeOf(`${id}?theme=%22pink`, 'iframe'), 'light');
  });

  test('does not expose the allowed sites in the form', async () => {
    const session = await open({ origins: ['https://www.harborstreet.example'] });
    assert.ok(!('origins' in (await openFormSession(session)).form.terms));
  });

  test('escapes the name of the organization', async () => {
    const name = '<img src=x onerror=alert(1)> & "Friends"';
    await db.updateTable('organization').set({ name }).where('id', '=', 'org_lantern').execute();
    const key = await createKey(['payments:write'], 'org_lantern');
    const { id } = (await (await post('/embed-sessions', key.token, {})).json()) as EmbedSession;
    const document = readDocument(await (await app.request(`/embed/${id}`)).text());
    assert.equal(document.querySelector('img'), null);
    assert.equal(textOf(document, 'h1'), name);
  });

  for (const [description, id] of [
    ['is of no session', 'es_nothing'],
    ['contains a NUL character', '%00'],
    ['is the id of an organization', 'org_harbor'],
  ] as const) {
    test(`shows a 404 page for an id that ${description}`, async () => {
      const response = await app.request(`/embed/${id}`);
      assert.equal(response.status, 404);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.equal(textOf(readDocument(await response.text()), 'h1'), 'Donation page not found');
    });
  }

  test('shows an expired session without naming the organization', async () => {
    const { id } = await open();
    await expire(id);
    const response = await app.request(`/embed/${id}`);
    const text = await response.text();
    assert.equal(response.status, 410);
    assert.match(text, /This donation page has expired/);
    assert.doesNotMatch(text, /Harbor|connect-donate/);
  });

  test('ends when the API key that created it is revoked', async () => {
    const key = await createKey(['payments:write']);
    const { id } = (await (await post('/embed-sessions', key.token, {})).json()) as EmbedSession;
    assert.equal((await app.request(`/embed/${id}`)).status, 200);
    assert.equal((await app.request(`/embed/${id}/embed-form?form=${id}`)).status, 200);
    const revoked = { revoked_at: new Date() };
    await db.updateTable('api_key').set(revoked).where('id', '=', key.id).execute();
    assert.equal((await app.request(`/embed/${id}`)).status, 410);
    assert.equal((await app.request(`/embed/${id}/embed-form?form=${id}`)).status, 404);
  });
});

describe('the script of the page', () => {
  test('is the built bundle, compressed, with immutable chunks', async () => {
    const entry = await app.request('/embed/connect.js');
    assert.match(entry.headers.get('content-type') ?? '', /^text\/javascript/);
    assert.match(entry.headers.get('cache-control') ?? '', /max-age=300/);
    const headers = { 'accept-encoding': 'gzip' };
    const chunk = await app.request('/embed/donate-aBcD1234.js', { headers });
    assert.equal(chunk.headers.get('content-encoding'), 'gzip');
    assert.match(chunk.headers.get('cache-control') ?? '', /immutable/);
  });

  test('has a companion script for frames that other sites can load', async () => {
    const response = await app.request('/embed/frame.js');
    assert.match(response.headers.get('content-type') ?? '', /^text\/javascript/);
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
  });

  for (const path of ['nothing-aBcD1234.js', '..%2fconnect.js', 'manifest.json']) {
    test(`returns 404 for ${path}`, async () => {
      assert.equal((await app.request(`/embed/${path}`)).status, 404);
    });
  }

  test('responds 503 until it has been built', async () => {
    const apiWithoutScripts = await startApi({ env: { SCRIPTS_DIR: join(scripts, 'nowhere') } });
    const session = (await (
      await apiWithoutScripts.post('/embed-sessions', ['payments:write'], {})
    ).json()) as EmbedSession;
    const page = await apiWithoutScripts.app.request(`/embed/${session.id}`);
    assert.equal(page.status, 503);
    assert.match(await page.text(), /npm run build/);
    const script = await apiWithoutScripts.app.request('/embed/connect.js');
    assert.match(await readError(script), /^503 unavailable .*npm run build/);
  });
});

describe('GET /embed/{id}/campaigns/{campaign}/progress', () => {
  test('returns the numbers of the form’s campaign, and of no other', async () => {
    const { id } = await open({ campaign_id: 'camp_winter', show_goal: true });
    const own = { headers: { 'sec-fetch-site': 'same-origin' } };
    const response = await app.request(`${url}/embed/${id}/campaigns/camp_winter/progress`, own);
    assert.equal(response.status, 200);
    const progress = CampaignProgress.strict().parse(await response.json());
    const { token: reader } = await createKey(['reference:read']);
    const shown = await api.get('/campaigns/camp_winter/progress', reader);
    assert.deepEqual(progress, await shown.json());
    const other = await open();
    for (const path of [`${id}/campaigns/camp_other`, `${other.id}/campaigns/camp_winter`])
      assert.equal((await app.request(`${url}/embed/${path}/progress`, own)).status, 404, path);
  });
});

describe('GET /embed/{id}/embed-form', () => {
  test('returns what the page needs to draw the form, and no token or key', async () => {
    const { id } = await open({ fund_id: 'fund_meals' });
    const response = await app.request(`/embed/${id}/embed-form?form=${id}`);
    assert.equal(response.status, 200);
    const form = PublicForm.strict().parse(await response.json());
    assert.equal(form.fund_name, 'Weekend meals for children');
  });

  test('responds 404 for an unknown and an expired session', async () => {
    const { id } = await open();
    await expire(id);
    for (const name of [id, `es_${'x'.repeat(300)}`]) {
      const response = await app.request(`/embed/${name}/embed-form?form=${name}`);
      assert.match(await readError(response), /^404 not_found /);
    }
  });
});

describe('POST /embed/{id}/embed-sessions', () => {
  test('returns the form and a token that is valid only on this page', async () => {
    const session = await open({ fund_id: 'fund_meals' });
    const response = await openFormSession(session);
    assert.equal(response.expires_at, session.expires_at);
    assert.equal(response.form.fund_name, 'Weekend meals for children');
    assert.notEqual(response.session_token, session.session_token);
    // A session token is random text and may contain these letters.
    assert.doesNotMatch(JSON.stringify({ ...response, session_token: '' }), /gb_/);
    for (const credential of [response.session_token, session.id]) {
      const direct = await post('/payment-intents', credential, { amount_cents: 500 });
      assert.equal(direct.status, 401);
    }
  });

  for (const [description, headers] of [
    ['of another origin', { origin: 'https://evil.example' }],
    ['without an origin', { origin: 'null' }],
  ] as const) {
    test(`rejects a page ${description}`, async () => {
      const response = await createVisitorSession(await open(), headers);
      assert.match(await readServerError(response), /^403 forbidden Origin /);
      assert.equal(response.headers.get('access-control-allow-origin'), null);
    });
  }

  test('responds 404 for an unknown session', async () => {
    const response = await postToPage(`/embed/es_${'x'.repeat(300)}/embed-sessions`, {});
    assert.match(await readError(response), /^404 not_found /);
  });

  test('is not found after the session has expired', async () => {
    const session = await open();
    await expire(session.id);
    assert.match(
      await readServerError(await createVisitorSession(session)),
      /^404 not_found .*expired/,
    );
  });
});

describe('POST /embed/{id}/payment-intents', () => {
  test('creates one payment intent per idempotency key for the embed session', async () => {
    const session = await open({ fund_id: 'fund_meals' });
    const { session_token } = await openFormSession(session);
    const key = { 'idempotency-key': crypto.randomUUID() };
    const fields = { amount_cents: 2500, donor_name: 'Ada', donor_email: 'ada@example.org' };
    const response = await createPaymentIntent(session.id, session_token, fields, key);
    assert.equal(response.status, 201);
    const intent = PaymentIntent.parse(await response.json());
    const repeated = await createPaymentIntent(
      session.id,
      (await openFormSession(session)).session_token,
      fields,
      key,
    );
    assert.deepEqual(PaymentIntent.parse(await repeated.json()), intent);

    const account = { stripeAccount: 'acct_harbor_street' };
    await stripeAt(sandboxUrl).paymentIntents.confirm(
      intent.payment_intent_id,
      { payment_method: 'pm_card_visa', return_url: 'https://page.example' },
      account,
    );
    const donation = await eventually(() =>
      db.selectFrom('donation').selectAll().where('source_id', '=', session.id).executeTakeFirst(),
    );
    assert.partialDeepStrictEqual(donation, {
      source: 'embed',
      source_id: session.id,
      fund_id: 'fund_meals',
    });
  });

  test('rejects a donation that violates the terms', async () => {
    const session = await open({ preset_amounts_cents: [500], amount_locked: true });
    const { session_token } = await openFormSession(session);
    const response = await createPaymentIntent(session.id, session_token, { amount_cents: 501 });
    assert.match(await readServerError(response), /^400 invalid_request amount_cents /);
    const funded = await createPaymentIntent(session.id, session_token, {
      amount_cents: 500,
      fund_id: 'fund_meals',
    });
    assert.match(await readServerError(funded), /^400 invalid_request fund_id /);
    const other = await open();
    const donation = { amount_cents: 501, embed_session_id: other.id };
    const rejection = await createPaymentIntent(session.id, session_token, donation);
    assert.match(await readServerError(rejection), /^400 invalid_request embed_session_id /);
  });

  test('requires an idempotency key', async () => {
    const session = await open();
    const { session_token } = await openFormSession(session);
    const keyless = { 'idempotency-key': '' };
    const response = await createPaymentIntent(
      session.id,
      session_token,
      { amount_cents: 500 },
      keyless,
    );
    assert.match(await readServerError(response), /^400 invalid_request Idempotency-Key /);
  });

  test('rejects a request from another origin', async () => {
    const session = await open();
    const { session_token } = await openFormSession(session);
    const foreign = { origin: 'https://evil.example' };
    const response = await createPaymentIntent(
      session.id,
      session_token,
      { amount_cents: 500 },
      foreign,
    );
    assert.match(await readServerError(response), /^403 forbidden Origin /);
  });

  for (const [description, tokenFor, rejection] of [
    ['is malformed', () => 'a..b.c.d', /^401 unauthorized /],
    ['is the embed session’s token', ({ session_token }) => session_token, /^401 unauthorized /],
    ['is an API key', () => token, /^401 unauthorized /],
    [
      'is of another session',
      async () => (await openFormSession(await open())).session_token,
      /^404 not_found /,
    ],
  ] as [string, (session: EmbedSession) => string | Promise<string>, RegExp][]) {
    test(`rejects a token that ${description}`, async () => {
      const session = await open();
      const response = await createPaymentIntent(session.id, await tokenFor(session), {
        amount_cents: 500,
      });
      assert.match(await readServerError(response), rejection);
    });
  }

  test('rejects a visitor whose session has expired', async () => {
    const session = await open();
    const { session_token } = await openFormSession(session);
    await expire(session.id);
    const response = await createPaymentIntent(session.id, session_token, { amount_cents: 500 });
    assert.match(await readServerError(response), /^404 not_found .*expired/);
  });
});

test('donations on the page do not use the rate limit of the API key', async () => {
  const { token: newToken, id } = await createKey(['payments:write']);
  const session = (await (await post('/embed-sessions', newToken, {})).json()) as EmbedSession;
  const { session_token } = await openFormSession(session);
  const donation = { amount_cents: 500 };
  assert.equal((await createPaymentIntent(session.id, session_token, donation)).status, 201);
  const counts = await pool.query(
    'select cardinality(request_times) as times from request_budget where key = $1',
    [id],
  );
  assert.deepEqual(counts.rows, [{ times: 1 }]); // The one request that created the session.
});

test('the log contains no session id, visitor token or API key', () => {
  assert.ok(logged.some((line) => line.includes('/embed/:id/:path')));
  // A random request id may contain the first letters of a token, but no dot.
  assert.doesNotMatch(logged.join(''), /\/embed\/es_|eyJ[\w-]+\.|gb_(?:live|es|cs)_|ada@example/);
});
