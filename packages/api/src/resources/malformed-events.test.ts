import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type Stripe from 'stripe';
import { ACCOUNT, startManualEventsSandbox } from '../../test-support/app/manual-events-sandbox.ts';
import { readError } from '../../test-support/app/start-api.ts';
import { HANDLERS } from '../payments/stripe-events/handlers.ts';

const { app, stripe, payDonation, eventsOf, db, logged } = await startManualEventsSandbox();
const SECRET = 'whsec_sandbox';
const now = () => Math.floor(Date.now() / 1000);

/** Signs a body as Stripe does. */
const sign = (payload: string, timestamp = now()): Promise<string> =>
  stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: SECRET, timestamp });

const post = (body: string, signature: string) =>
  app.request('/processor-events', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    body,
  });

const postSigned = async (body: string) => await post(body, await sign(body));

/** A valid event of a type that the API handles, about a charge without a payment intent. */
const EVENT = {
  id: 'evt_fine',
  type: 'charge.updated',
  created: now(),
  livemode: false,
  account: ACCOUNT.stripeAccount,
  data: { object: { id: 'ch_fine' } },
};

describe('a correctly signed body that is not an event', () => {
  for (const [body, field] of [
    ['null', 'body'],
    ['[]', 'body'],
    ['"event"', 'body'],
    ['{', 'body'],
    ['{"object":"v2.core.event","id":"evt_thin"}', 'type'],
    ['['.repeat(100_000), 'body'],
    [JSON.stringify({ ...EVENT, id: undefined }), 'id'],
    [JSON.stringify({ ...EVENT, id: `evt_${'x'.repeat(5000)}` }), 'id'],
    [JSON.stringify({ ...EVENT, type: 7 }), 'type'],
    [JSON.stringify({ ...EVENT, type: 'charge.\0' }), 'type'],
    [JSON.stringify({ ...EVENT, created: '2026' }), 'created'],
    [JSON.stringify({ ...EVENT, created: 1e17 }), 'created'],
    [JSON.stringify({ ...EVENT, livemode: 'false' }), 'livemode'],
    [JSON.stringify({ ...EVENT, account: {} }), 'account'],
    [JSON.stringify({ ...EVENT, data: null }), 'data'],
    [JSON.stringify({ ...EVENT, data: { object: null } }), 'data.object'],
    [JSON.stringify({ ...EVENT, type: 'payout.paid', data: { object: {} } }), 'data.object.id'],
    [
      JSON.stringify({
        ...EVENT,
        type: 'charge.refunded',
        data: { object: { payment_intent: 1 } },
      }),
      'data.object.payment_intent',
    ],
  ] as const) {
    test(`is rejected with 400 that names ${field}: ${body.slice(0, 60)}`, async () => {
      const error = await readError(await postSigned(body));
      assert.ok(error.startsWith(`400 invalid_request ${field} `), error);
    });
  }
});

describe('an event of an ignored type', () => {
  for (const type of [
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'charge.succeeded',
    'fund.created',
  ]) {
    test(`is acknowledged: ${type}`, async () => {
      const response = await postSigned(JSON.stringify({ ...EVENT, type }));
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), { received: true, outcome: 'ignored' });
    });
  }
});

describe('the timestamp of a signature', () => {
  const body = JSON.stringify(EVENT);
  const refused = async (signature: string) =>
    assert.match(
      await readError(await post(body, signature)),
      /^400 invalid_request Stripe-Signature /,
    );

  test('is the one that is verified: a second timestamp is rejected in every position', async () => {
    const futureHeader = await sign(body, now() + 4000);
    const validHeader = await sign(body);
    assert.equal((await post(body, validHeader)).status, 200);
    for (const signature of [
      `t=${now()},${futureHeader}`,
      `${futureHeader},t=${now()}`,
      `t=${now()}, ${futureHeader}`,
      `${validHeader},t=${now()}`,
      `${validHeader},t=`,
      `${validHeader},t`,
      validHeader.replace('t=', 't=1='),
      validHeader.replace(/t=\d+/, 't=1e9'),
      validHeader.replace(/t=\d+/, 't='),
    ]) {
      await refused(signature);
    }
  });

  test('may differ from ours by five minutes at most', async () => {
    await refused(await sign(body, now() - 400));
    await refused(await sign(body, now() + 400));
    assert.equal((await post(body, await sign(body, now() + 200))).status, 200);
  });

  test('with any other value of the header never causes a 5xx', async () => {
    const part = fc.oneof(
      fc.constantFrom(
        't',
        't=',
        `t=${now()}`,
        `t=${now() + 4000}`,
        'v1=',
        'v1=00',
        'v0=1',
        '=',
        ' ',
      ),
      fc.string({ maxLength: 12 }).filter((text) => /^[\x20-\x7e]*$/.test(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        await refused(parts.join(','));
      }),
      { numRuns: 200 },
    );
  });
});

/** Generates invalid values of a field. None of them is the id of an object at Stripe. */
const INVALID_VALUE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 1e300, [], {}, [[]], '', '\0', 'toString'),
  fc.constantFrom('__proto__', 'constructor', 'a'.repeat(5000), '../x', '💸', '\ud800'),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Returns every path into a JSON value. */
function* pathsOf(value: unknown, path: string[] = []): Generator<string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, key]);
}

function replaced(value: unknown, [first, ...rest]: string[], by: unknown): unknown {
  if (first === undefined) return by;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[first] = replaced(copy[first], rest, by);
  return copy;
}

describe('no 5xx for any correctly signed event', () => {
  const outcomes = new Map<number, number>();
  const deliver = async (event: unknown) => {
    const response = await postSigned(JSON.stringify(event));
    outcomes.set(response.status, (outcomes.get(response.status) ?? 0) + 1);
    assert.ok([200, 400].includes(response.status), `${response.status} ${JSON.stringify(event)}`);
  };

  test('with one or two fields of a real event replaced', async () => {
    const id = await payDonation({ amount_cents: 2000 });
    await stripe.refunds.create({ payment_intent: id, amount: 500 }, ACCOUNT);
    const realEvents = (await eventsOf(id)).filter(({ type }) => HANDLERS.has(type));
    assert.ok(realEvents.length >= 3, realEvents.map(({ type }) => type).join());
    const event = fc.constantFrom(...realEvents).chain((realEvent: Stripe.Event) => {
      const whole = { ...realEvent, account: ACCOUNT.stripeAccount };
      const change = fc.tuple(fc.constantFrom(...pathsOf(whole)), INVALID_VALUE);
      return fc.array(change, { minLength: 1, maxLength: 2 }).map((changes) =>
        changes.reduce<unknown>((value, [path, by]) => {
          const parent = path
            .slice(0, -1)
            .reduce<unknown>(
              (at, key) => (at as Record<string, unknown> | null | undefined)?.[key],
              value,
            );
          return typeof parent === 'object' && parent !== null ? replaced(value, path, by) : value;
        }, whole),
      );
    });
    await fc.assert(fc.asyncProperty(event, deliver), { numRuns: 400 });
    assert.ok((outcomes.get(200) ?? 0) > 20 && (outcomes.get(400) ?? 0) > 20);
  });

  test('of every type, with any value as its object', async () => {
    const event = fc.record(
      {
        id: fc.oneof(fc.constant('evt_made_up'), INVALID_VALUE),
        type: fc.constantFrom(...HANDLERS.keys()),
        created: fc.constant(now()),
        livemode: fc.constant(false),
        account: fc.constantFrom(ACCOUNT.stripeAccount, 'acct_of_nobody'),
        data: fc.record({
          object: fc.oneof(
            INVALID_VALUE,
            fc.record(
              {
                id: INVALID_VALUE,
                metadata: INVALID_VALUE,
                payment_intent: INVALID_VALUE,
                customer: INVALID_VALUE,
                amount: INVALID_VALUE,
                currency: INVALID_VALUE,
                last_payment_error: fc.oneof(
                  INVALID_VALUE,
                  fc.record({ message: INVALID_VALUE, code: INVALID_VALUE }),
                ),
                parent: fc.oneof(INVALID_VALUE, fc.record({ subscription_details: INVALID_VALUE })),
                subscription: INVALID_VALUE,
              },
              { requiredKeys: [] },
            ),
          ),
        }),
      },
      { requiredKeys: ['type', 'account', 'livemode', 'data'] },
    );
    await fc.assert(fc.asyncProperty(event, deliver), { numRuns: 400 });
    assert.equal(
      logged.filter((line) => line.includes('"level":50')).length,
      0,
      'nothing of it is an error of the service',
    );
    assert.deepEqual(
      await db.selectFrom('donation').select('id').where('amount_cents', '<', 1).execute(),
      [],
    );
  });
});
