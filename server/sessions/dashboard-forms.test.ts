import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FormSession } from '@connect-embed/contract';
import { formOf } from '../test-support/dashboard-form.ts';
import { openServer } from '../test-support/embedding-page.ts';
import { errorResponse, startUpstream } from '../test-support/upstream.ts';

let clock = Date.parse('2026-03-01T12:00:00Z');
const now = () => clock;
const upstream = await startUpstream({ now });

const SPRING = formOf('spring', { campaign_id: null });

const openTestServer = (config = {}) => openServer(upstream.apiBase, { now, ...config });
const requests = () => upstream.calls.map(({ method, path }) => `${method} ${path.slice(7)}`);

async function readError(response: Response) {
  const { error } = (await response.json()) as { error: { code: string } };
  return { status: response.status, code: error.code };
}

/** Opens the form as a page does, and returns the version that it got. */
async function openVersion(page: ReturnType<typeof openTestServer>, form = 'spring') {
  const session = await page.openForm(form);
  return session.form.form_version;
}

describe('a form of the dashboard', () => {
  test('is opened by its slug, with two API requests for 1,000 page views', async () => {
    upstream.setForms([SPRING]);
    const page = openTestServer();
    await Promise.all(Array.from({ length: 500 }, () => openVersion(page)));
    for (let view = 0; view < 500; view += 1) assert.equal(await openVersion(page), 1);
    assert.deepEqual(requests(), ['GET /forms', 'POST /embed-sessions']);
  });

  test('is shown with its new version a minute after it was published', async () => {
    upstream.setForms([SPRING]);
    const page = openTestServer();
    await openVersion(page);
    upstream.setForms([{ ...SPRING, version: 2 }]);
    clock += 60_000;
    assert.equal(await openVersion(page), 2);
  });

  test('is opened again a minute after its organization went live', async () => {
    upstream.setForms([{ ...SPRING, livemode: false }]);
    const page = openTestServer();
    await openVersion(page);
    upstream.setForms([{ ...SPRING, livemode: true }]);
    clock += 60_000;
    await openVersion(page);
    assert.equal(upstream.callsOf('/embed-sessions').length, 2);
  });

  test('is checked for a new version at most twice a minute', async () => {
    upstream.setForms([SPRING]);
    const page = openTestServer();
    const end = clock + 600_000;
    for (; clock < end; clock += 1000) await openVersion(page);
    const checks = upstream.callsOf('/forms');
    assert.equal(checks.length, 20);
    assert.ok(checks.slice(1).every(({ headers }) => headers['if-none-match']));
  });

  test('takes donations under the version that the page shows, also after a new one was published', async () => {
    upstream.setForms([SPRING]);
    const page = openTestServer();
    const { session_token, id } = await page.openForm('spring');
    upstream.setForms([{ ...SPRING, version: 2 }]);
    clock += 60_000;
    assert.equal(await openVersion(page), 2);
    assert.equal((await page.createPaymentIntent(session_token)).status, 201);
    const donation = upstream.callsOf('/payment-intents').at(-1)!.body as {
      embed_session_id: string;
    };
    assert.equal(donation.embed_session_id, id);
    // Another process has no session of the first version.
    const otherProcess = openTestServer();
    assert.equal((await otherProcess.createPaymentIntent(session_token)).status, 201);
    const opened = upstream.callsOf('/embed-sessions').at(-1)!.body as { form_version: number };
    assert.equal(opened.form_version, 1);
  });

  test('gives a session for the version that a page shows, until an hour after it was replaced', async () => {
    upstream.setForms([{ ...SPRING, version: 3, published_at: new Date(clock).toISOString() }]);
    const page = openTestServer();
    const open = async (form_version: number) => {
      const response = await page.post('/embed-sessions', { form: 'spring', form_version });
      return ((await response.json()) as FormSession).form.form_version;
    };
    assert.equal(await open(3), 3);
    assert.equal(await open(2), 2);
    // An older version, and one that was never published.
    assert.equal(await open(1), 3);
    assert.equal(await open(4), 3);
    clock += 3_600_000;
    assert.equal(await open(2), 3);
    for (const form_version of ['two', 0, 1.5, null]) {
      const response = await page.post('/embed-sessions', { form: 'spring', form_version });
      const { error } = (await response.json()) as { error: { param: string } };
      assert.deepEqual([response.status, error.param], [400, 'form_version']);
    }
  });

  test('gives a session for the live version if the API rejects the one before', async () => {
    upstream.setForms([{ ...SPRING, version: 3, published_at: new Date(clock).toISOString() }]);
    const page = openTestServer();
    upstream.failWith(({ body }) =>
      (body as { form_version?: number } | undefined)?.form_version === 2
        ? errorResponse(400, 'invalid_request', 'fund_id: the fund is archived.')
        : undefined,
    );
    const response = await page.post('/embed-sessions', { form: 'spring', form_version: 2 });
    assert.equal(((await response.json()) as FormSession).form.form_version, 3);
  });

  test('is not in the configuration: the configuration takes precedence', async () => {
    upstream.setForms([SPRING]);
    const page = openTestServer({ forms: { spring: { preset_amounts_cents: [4200] } } });
    const { form } = await page.openForm('spring');
    assert.deepEqual(form.terms.preset_amounts_cents, [4200]);
    assert.equal(upstream.callsOf('/forms').length, 0);
  });

  test('is not found as a draft', async () => {
    upstream.setForms([{ ...SPRING, status: 'draft', version: null, published_at: null }]);
    const error = await readError(
      await openTestServer().post('/embed-sessions', { form: 'spring' }),
    );
    assert.deepEqual([error.status, error.code], [404, 'form_not_found']);
  });

  test('is closed within a minute', async () => {
    upstream.setForms([SPRING]);
    const page = openTestServer();
    await page.openForm('spring');
    upstream.setForms([{ ...SPRING, status: 'closed' }]);
    clock += 60_000;
    const error = await readError(await page.post('/embed-sessions', { form: 'spring' }));
    assert.deepEqual([error.status, error.code], [404, 'form_closed']);
  });

  test('whose campaign has ended takes no donation, and new pages are told so', async () => {
    upstream.setForms([SPRING]);
    const page = openTestServer();
    const { session_token } = await page.openForm('spring');
    const ended = { code: 'campaign_ended' } as const;
    upstream.failWith(({ path }) =>
      /(?:payment-intents|embed-sessions)$/.test(path)
        ? errorResponse(404, 'not_found', 'This campaign has ended.', {}, ended)
        : undefined,
    );
    for (const response of [
      await page.createPaymentIntent(session_token),
      await page.post('/embed-sessions', { form: 'spring' }),
    ]) {
      const error = await readError(response);
      assert.deepEqual([error.status, error.code], [404, 'campaign_ended']);
    }
  });

  test('costs one API request however many unknown names are asked for', async () => {
    const page = openTestServer();
    for (let index = 0; index < 50; index += 1) {
      const response = await page.post('/embed-sessions', { form: `form-${index}` });
      assert.equal(response.status, 404);
    }
    assert.deepEqual(requests(), ['GET /forms']);
  });

  test('is served from the last list while the API fails', async () => {
    upstream.setForms([SPRING]);
    const page = openTestServer();
    await openVersion(page);
    upstream.failWith(() => errorResponse(500, 'server_error', 'down'));
    clock += 120_000;
    assert.equal(await openVersion(page), 1);
  });

  test('does not make pages wait while the API hangs', async () => {
    upstream.setForms([SPRING]);
    const page = openTestServer();
    await openVersion(page);
    upstream.failWith(() => errorResponse(500, 'server_error', 'down'));
    clock += 120_000;
    await openVersion(page); // The first view notices that the API fails.
    const { promise: hanging, resolve: release } = Promise.withResolvers<undefined>();
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    upstream.failWith(() => (arrive(), hanging));
    clock += 10_000;
    assert.equal(await openVersion(page), 1);
    await arrived;
    release(undefined);
  });

  test('is looked up once in two seconds while the API fails from the start', async () => {
    upstream.failWith(() => errorResponse(500, 'server_error', 'down'));
    const page = openTestServer();
    for (let view = 0; view < 20; view += 1) {
      assert.equal((await page.post('/embed-sessions', { form: 'spring' })).status, 503);
    }
    assert.equal(upstream.callsOf('/forms').length, 1);
  });

  for (const [description, response] of [
    ['an API without forms', () => errorResponse(404, 'not_found', 'No such route.')],
    [
      'a credential without the scope',
      () => errorResponse(403, 'insufficient_scope', 'reference:read is missing.'),
    ],
  ] as const) {
    test(`is not found with ${description}`, async () => {
      upstream.failWith(({ path }) => (path.endsWith('/forms') ? response() : undefined));
      const page = openTestServer();
      const error = await readError(await page.post('/embed-sessions', { form: 'spring' }));
      assert.deepEqual([error.status, error.code], [404, 'form_not_found']);
      assert.equal((await page.post('/embed-sessions', { form: 'default' })).status, 201);
    });
  }
});
