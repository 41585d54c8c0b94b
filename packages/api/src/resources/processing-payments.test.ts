import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DonationSummary,
  ProcessingPayment,
  type ComponentSession,
  type List,
} from '@connect-embed/contract';
import { readError, startApi } from '../../test-support/app/start-api.ts';

const { db, get, post, createKey } = await startApi();
const { token } = await createKey();

const EXPECTED = new Date('2026-11-26T18:32:10Z');
const row = (id: string, fields: object = {}) => ({
  id,
  ...{
    organization_id: 'org_harbor',
    amount_cents: 5000,
    currency: 'usd',
    source: 'embed' as const,
  },
  ...{ source_id: 'es_1', status: 'processing' as const, payment_method: 'us_bank_account' },
  ...{ donor_name: 'Grace Mensah', donor_email: 'grace@example.org', expected_at: EXPECTED },
  ...{ fund_id: 'fund_meals', created_at: new Date('2026-11-20T18:31:45Z') },
  ...fields,
});
await db
  .insertInto('payment_intent')
  .values([
    row('pi_first', { reference: 'M3TD-8RWY' }),
    row('pi_monthly', {
      ...{ plan_id: 'plan_1', amount_cents: 2500, fund_id: null },
      created_at: new Date('2026-11-21T18:31:45Z'),
    }),
    row('pi_euro', { currency: 'eur', created_at: new Date('2026-11-22T18:31:45Z') }),
    row('pi_open', { status: 'open' }),
    row('pi_failed', { status: 'failed' }),
    row('pi_paid', { status: 'succeeded' }),
    row('pi_other', { organization_id: 'org_lantern' }),
  ])
  .execute();

const list = async (query = '', bearer = token) => {
  const response = await get(`/payment-intents?status=processing${query}`, bearer);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as List<ProcessingPayment>;
};

describe('GET /payment-intents?status=processing', () => {
  test('lists what is on its way to the organization, newest first', async () => {
    const { data } = await list();
    assert.deepEqual(
      data.map(({ id }) => id),
      ['pi_euro', 'pi_monthly', 'pi_first'],
    );
    assert.deepEqual(ProcessingPayment.strict().parse(data[2]), {
      id: 'pi_first',
      object: 'processing_payment',
      amount_cents: 5000,
      currency: 'usd',
      payment_method: 'us_bank_account',
      donor_name: 'Grace Mensah',
      donor_email: 'grace@example.org',
      fund_id: 'fund_meals',
      campaign_id: null,
      form_id: null,
      recurring: false,
      expected_at: '2026-11-26T18:32:10.000Z',
      created_at: '2026-11-20T18:31:45.000Z',
      reference: 'M3TD-8RWY',
      livemode: true,
    });
    assert.equal(data[1]?.recurring, true);
  });

  test('is read in pages', async () => {
    const first = await list('&limit=2');
    assert.equal(first.has_more, true);
    const second = await list(`&limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual(
      second.data.map(({ id }) => id),
      ['pi_first'],
    );
  });

  test('requires the status: other payment intents cannot be listed', async () => {
    for (const query of ['', '?status=open', '?status=succeeded'])
      assert.match(
        await readError(await get(`/payment-intents${query}`, token)),
        /^400 invalid_request status must be processing/,
      );
  });

  test('hides from a session what its masks name', async () => {
    const body = { components: ['donations'], masks: ['names', 'emails'] };
    const created = await post('/component-sessions', token, body);
    const session = (await created.json()) as ComponentSession;
    const { data } = await list('', session.token);
    assert.equal(data.length, 3);
    for (const { donor_name, donor_email } of data)
      assert.deepEqual([donor_name, donor_email], ['G. M.', null]);
  });
});

describe('GET /donations/summary', () => {
  const summary = async (query = '') => {
    const response = await get(`/donations/summary?${query}`, token);
    return DonationSummary.parse(await response.json()).data;
  };

  test('counts what is on its way apart from the donations', async () => {
    const [euro, dollar, ...others] = await summary();
    assert.deepEqual(others, []);
    assert.deepEqual(euro, {
      ...{ currency: 'eur', count: 0, gross_cents: 0, net_cents: 0, refunded_cents: 0 },
      ...{ disputed_cents: 0, fee_cents: 0, dispute_fee_cents: 0 },
      ...{ processing_count: 1, processing_amount_cents: 5000 },
    });
    assert.partialDeepStrictEqual(dollar, {
      ...{ currency: 'usd', processing_count: 2, processing_amount_cents: 7500 },
    });
    const { count } = await db
      .selectFrom('donation')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('organization_id', '=', 'org_harbor')
      .executeTakeFirstOrThrow();
    assert.equal(dollar?.count, Number(count));
  });

  for (const [query, count] of [
    ['recurring=true', 1],
    ['fund_id=fund_meals', 1],
    ['amount_from_cents=3000', 1],
    ['payment_method=us_bank_account', 2],
    ['payment_method=card', 0],
    ['created_from=2026-11-21T00:00:00Z', 1],
    ['refund_status=none', 0],
    ['q=grace', 0],
  ] as const) {
    test(`counts what is on its way of ${query}`, async () => {
      const dollar = (await summary(query)).find(({ currency }) => currency === 'usd');
      assert.equal(dollar?.processing_count ?? 0, count);
    });
  }
});
