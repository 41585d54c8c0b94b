import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVENT_TYPES } from '@connect-embed/contract';
import { revokeApiKey } from '../../auth/api-key.ts';
import { eventually, readError } from '../../../test-support/app/start-api.ts';
import { startWebhooks, urlOf, ENDPOINT_INPUT } from '../../../test-support/app/start-webhooks.ts';
import { MAX_ENDPOINTS } from '../../webhooks/endpoints.ts';

const { db, createKey, call, get, post, patch, receiver, newCaller, enqueueDonationCreated } =
  await startWebhooks();

describe('webhook endpoints', () => {
  test('are created, listed newest first, read, changed and deleted; the secret is returned once', async () => {
    const { token, create } = await newCaller();
    const { secret, ...first } = await create();
    assert.match(secret, /^whsec_/);
    assert.deepEqual(
      [first.url, first.events, first.description],
      [ENDPOINT_INPUT.url, ENDPOINT_INPUT.events, null],
    );
    const { secret: _, ...second } = await create({
      ...ENDPOINT_INPUT,
      events: ['payout.paid', 'payout.paid', 'donation.refunded'],
      description: 'Accounting',
    });
    assert.deepEqual(second.events, ['payout.paid', 'donation.refunded']);

    const list = (await (await get('/webhooks', token)).json()) as object;
    assert.deepEqual(list, { data: [second, first] });
    assert.deepEqual(await (await get(`/webhooks/${first.id}`, token)).json(), first);

    const changed = await patch(`/webhooks/${first.id}`, token, { description: 'Thanks' });
    assert.equal(changed.status, 200);
    assert.deepEqual(await changed.json(), { ...first, description: 'Thanks' });

    const deleted = await call('DELETE', `/webhooks/${first.id}`, token);
    assert.equal(deleted.status, 200);
    assert.deepEqual(await deleted.json(), { id: first.id, deleted: true });
    assert.equal((await get(`/webhooks/${first.id}`, token)).status, 404);
    assert.equal((await call('DELETE', `/webhooks/${first.id}`, token)).status, 404);
  });

  test('belong to their credential: they do not exist for another one', async () => {
    const { create } = await newCaller();
    const { id } = await create();
    const { token: other } = await newCaller(); // Of the same organization.
    for (const response of await Promise.all([
      get(`/webhooks/${id}`, other),
      patch(`/webhooks/${id}`, other, { description: 'Mine' }),
      call('DELETE', `/webhooks/${id}`, other),
      call('POST', `/webhooks/${id}/rotate-secret`, other),
      call('POST', `/webhooks/${id}/test`, other),
      get(`/webhooks/${id}/deliveries`, other),
      call('POST', `/webhooks/${id}/deliveries/whd_1/redeliver`, other),
    ])) {
      assert.equal(
        await readError(response),
        `404 not_found No webhook_endpoint ${id} in this organization.`,
      );
    }
    assert.deepEqual(await (await get('/webhooks', other)).json(), { data: [] });
  });

  test('require webhooks:write, also for reading', async () => {
    const { token } = await createKey(['donations:read']);
    for (const [method, path] of [
      ['GET', '/webhooks'],
      ['POST', '/webhooks'],
      ['GET', '/webhooks/we_1'],
      ['PATCH', '/webhooks/we_1'],
      ['DELETE', '/webhooks/we_1'],
      ['POST', '/webhooks/we_1/rotate-secret'],
      ['GET', '/webhooks/we_1/deliveries'],
      ['POST', '/webhooks/we_1/test'],
      ['POST', '/webhooks/we_1/deliveries/whd_1/redeliver'],
    ] as const) {
      const error = await readError(await call(method, path, token));
      assert.equal(error, '403 insufficient_scope This request requires the scope webhooks:write.');
    }
  });

  test('are limited to twenty per credential, also with simultaneous requests', async () => {
    const { token } = await newCaller();
    const responses = await Promise.all(
      Array.from({ length: MAX_ENDPOINTS + 5 }, () => post('/webhooks', token, ENDPOINT_INPUT)),
    );
    const created = responses.filter(({ status }) => status === 201);
    assert.equal(created.length, MAX_ENDPOINTS);
    const refused = responses.find(({ status }) => status !== 201)!;
    assert.match(await readError(refused), /^409 conflict .*20 webhook endpoints/);
    const { id } = (await created[0]!.json()) as { id: string };
    await call('DELETE', `/webhooks/${id}`, token);
    assert.equal((await post('/webhooks', token, ENDPOINT_INPUT)).status, 201);
  });

  for (const [description, body, expectedError] of [
    ['no url', { events: ['donation.created'] }, /^400 invalid_request url /],
    ['no events', { url: ENDPOINT_INPUT.url }, /^400 invalid_request events /],
    ['an empty list of events', { ...ENDPOINT_INPUT, events: [] }, /^400 invalid_request events /],
    ['an unknown event', { ...ENDPOINT_INPUT, events: ['x'] }, /^400 invalid_request events\.0 /],
    [
      'a wildcard for all events',
      { ...ENDPOINT_INPUT, events: ['*'] },
      /^400 invalid_request events\.0 /,
    ],
    ['a secret', { ...ENDPOINT_INPUT, secret: 'whsec_x' }, /^400 invalid_request secret /],
    ['a url that is a number', { ...ENDPOINT_INPUT, url: 5 }, /^400 invalid_request url /],
    ['a url that is not a URL', { ...ENDPOINT_INPUT, url: 'hooks' }, /^400 invalid_request url /],
    ['http', { ...ENDPOINT_INPUT, url: 'http://hooks.receiver.example/' }, /url must use https/],
    [
      'a private host',
      { ...ENDPOINT_INPUT, url: urlOf('inside') },
      /url must have a public host\.$/,
    ],
    [
      'a private address',
      { ...ENDPOINT_INPUT, url: 'https://10.0.0.1/' },
      /url must have a public host/,
    ],
    ['a NUL', { ...ENDPOINT_INPUT, description: 'a\0b' }, /^400 invalid_request description /],
    [
      'a NUL in the url',
      { ...ENDPOINT_INPUT, url: `${ENDPOINT_INPUT.url}\0` },
      /^400 invalid_request url /,
    ],
    ['an array', [ENDPOINT_INPUT], /^400 invalid_request body /],
    ['malformed JSON', '{', /^400 invalid_request body /],
  ] as const) {
    test(`are rejected with ${description}`, async () => {
      const { token, create } = await newCaller();
      assert.match(await readError(await post('/webhooks', token, body)), expectedError);
      if (Array.isArray(body) || typeof body === 'string' || /^no /.test(description)) return;
      const { id } = await create();
      assert.match(await readError(await patch(`/webhooks/${id}`, token, body)), expectedError);
    });
  }

  test('reject an empty change and a malformed id', async () => {
    const { token, create } = await newCaller();
    const { id } = await create();
    assert.match(await readError(await patch(`/webhooks/${id}`, token, {})), /^400 /);
    for (const malformedId of ['%00', 'we_%FF', "we_1'--", 'x'.repeat(500)]) {
      const { status } = await get(`/webhooks/${malformedId}`, token);
      assert.ok(status === 404 || status === 400, `${malformedId}: ${status}`);
    }
  });

  test('accept every event type', async () => {
    const { create } = await newCaller();
    assert.deepEqual(
      (await create({ ...ENDPOINT_INPUT, events: EVENT_TYPES })).events,
      EVENT_TYPES,
    );
  });

  test('store no readable secret in the database or in a stored response', async () => {
    const { token } = await newCaller();
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await post('/webhooks', token, ENDPOINT_INPUT, headers);
    const repeated = await post('/webhooks', token, ENDPOINT_INPUT, headers);
    const text = await first.text();
    assert.equal(await repeated.text(), text);
    const { secret } = JSON.parse(text) as { secret: string };
    for (const table of ['webhook_endpoint', 'idempotency_key'] as const) {
      const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute());
      assert.ok(!rows.includes(secret.slice('whsec_'.length, -1)), table);
    }
  });
});

describe('deleting an endpoint', () => {
  test('does not roll back events that are enqueued at the same time', async () => {
    const { token, create } = await newCaller();
    for (let round = 0; round < 8; round += 1) {
      const { id } = await create();
      const [deleted] = await Promise.all([
        call('DELETE', `/webhooks/${id}`, token),
        ...Array.from({ length: 5 }, () => enqueueDonationCreated(`don_race_${round}`)),
      ]);
      assert.equal(deleted.status, 200);
    }
    const { count } = await db
      .selectFrom('webhook_event')
      .where('body', 'like', '%don_race_%')
      .select((where) => where.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    assert.equal(Number(count), 40);
  });

  test('is not needed after its key was revoked: nothing is sent and access ends', async () => {
    const { token, keyId, create } = await newCaller();
    await create({ ...ENDPOINT_INPUT, url: receiver.url });
    await revokeApiKey(db, keyId);
    await enqueueDonationCreated('don_revoked');
    await eventually(async () => {
      const row = await db
        .selectFrom('webhook_endpoint')
        .where('credential_id', '=', keyId)
        .select('disabled_reason')
        .executeTakeFirstOrThrow();
      return row.disabled_reason === 'revoked' || undefined;
    });
    assert.ok(!receiver.received.some(({ body }) => body.includes('don_revoked')));
    assert.equal((await get('/webhooks', token)).status, 401);
  });
});
