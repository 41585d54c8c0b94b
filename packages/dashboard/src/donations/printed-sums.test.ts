import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Donation, DonationSeries, DonationSummary, List } from '@connect-embed/contract';
import type { Payout, BalanceTransaction, PayoutSummary } from '@connect-embed/contract';
import {
  ACCOUNT,
  startManualEventsSandbox,
} from '@connect-embed/api/test-support/app/manual-events-sandbox';
import { DEMO_PEOPLE } from '@connect-embed/api/users/demo-people';

const api = await startManualEventsSandbox();
const { stripe, sandbox, pool } = api;
const HOME = '/dashboard/org_harbor';
const EMAIL = 'sums@example.org';

/**
 * The donations of the organization, in dollars. No two sums of them are equal, so that a page shows a sum only where
 * it is meant. Every sum is compared with what Stripe's balance says.
 */
const DOLLARS = {
  plain: 100_003,
  refunded: 20_011,
  lost: 4019,
  won: 3023,
  refundedAndLost: 2027,
};
const GROSS = Object.values(DOLLARS).reduce((sum, cents) => sum + cents, 0);
const REFUNDED = 5003 + 1009;
const DISPUTED = 4019 + (2027 - 1009);
const LEFT = GROSS - REFUNDED - DISPUTED;
/** A donation in euros. The account's balance is in dollars. */
const FOREIGN_EUROS = 7013;
const FOREIGN_DOLLARS = 7714;

const money = (cents: number, currency = 'usd') =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency });

const ids = new Map<string, string>();
let fees = 0;
let net = 0;
let foreignNet = 0;

const chargeOf = async (id: string) =>
  (await stripe.paymentIntents.retrieve(id, {}, ACCOUNT)).latest_charge as string;

async function dispute(id: string, outcome: 'won' | 'lost') {
  const opened = await sandbox('/disputes', { charge: await chargeOf(id) });
  await sandbox('/disputes/close', { dispute: opened.id, outcome });
}

/** Pays the donations, gives some back, and lets the first payout fail. */
before(async () => {
  await pool.query(`delete from donation where organization_id = 'org_harbor'`);
  await pool.query(`delete from payout where organization_id = 'org_harbor'`);
  const donor = { donor_email: EMAIL };
  for (const [name, amount_cents] of Object.entries(DOLLARS))
    ids.set(name, await api.payDonation({ ...donor, amount_cents }));
  const setCurrency = (code: string) =>
    pool.query(`update organization set currency = $1 where id = 'org_harbor'`, [code]);
  await setCurrency('eur');
  ids.set('foreign', await api.payDonation({ amount_cents: FOREIGN_EUROS }));
  await setCurrency('usd');
  const refund = (name: string, amount: number) =>
    stripe.refunds.create({ payment_intent: ids.get(name)!, amount }, ACCOUNT);
  await refund('refunded', 5003);
  await refund('refundedAndLost', 1009);
  await dispute(ids.get('lost')!, 'lost');
  await dispute(ids.get('won')!, 'won');
  await dispute(ids.get('refundedAndLost')!, 'lost');
  await sandbox('/payouts/fail-next', {});
  await sandbox('/clock', { advance: 'month' });
  const events = stripe.events.list({ limit: 100 }, ACCOUNT);
  for (const event of (await events.autoPagingToArray({ limit: 1000 })).toReversed())
    await api.deliverEvent(event);
  const form = `select id from form where organization_id = 'org_harbor' and live_version is not null`;
  await pool.query(
    `update donation set campaign_id = 'camp_winter', form_id = (${form} order by id limit 1) where donor_email = $1`,
    [EMAIL],
  );
  const balance = stripe.balanceTransactions.list({ limit: 100 }, ACCOUNT);
  for (const transaction of await balance.autoPagingToArray({ limit: 1000 })) {
    if (transaction.type.startsWith('payout')) continue;
    if (transaction.exchange_rate !== null) foreignNet += transaction.net;
    else {
      fees += transaction.fee;
      net += transaction.net;
    }
  }
});

/** Opens a page or file of the dashboard as the organization's owner. */
async function open(path: string): Promise<string> {
  const person = api.visitor();
  await person.openAs(DEMO_PEOPLE[0]!.email, HOME);
  const page = await person.open(`${HOME}${path}`);
  assert.equal(page.status, 200);
  return page.text;
}

const read = async <Body>(path: string): Promise<Body> => {
  const response = await api.get(path, api.token);
  assert.equal(response.status, 200);
  return (await response.json()) as Body;
};

function assertShows(page: string, texts: readonly string[]) {
  for (const text of texts) assert.ok(page.includes(text), `${text} is not on the page`);
}

/** Sums a column of a CSV file whose cells contain no commas, in minor units. */
function sumColumn(file: string, heading: string, isCounted: (cells: string[]) => boolean): number {
  const [head, ...lines] = file.trim().split('\r\n');
  const column = head!.split(',').indexOf(heading);
  assert.notEqual(column, -1, heading);
  return lines
    .map((line) => line.split(','))
    .filter(isCounted)
    .reduce((sum, cells) => sum + Math.round(Number(cells[column]) * 100), 0);
}

/** Amounts of one or several donations in the API's names. */
const expectedSums = () => ({
  gross_cents: GROSS,
  refunded_cents: REFUNDED,
  disputed_cents: DISPUTED,
  fee_cents: fees,
  dispute_fee_cents: 3 * 1500,
  net_cents: net,
});

describe('the sums of donations', () => {
  test('add up, and are what Stripe paid into the balance', () => {
    assert.equal(GROSS - REFUNDED - DISPUTED - fees, net);
  });

  test('are above the list of donations', async () => {
    const figures = [GROSS, REFUNDED, DISPUTED, fees - 3 * 1500, 3 * 1500, net];
    assertShows(
      await open('/donations'),
      figures.map((cents) => money(cents)),
    );
  });

  test('are the sums of the export', async () => {
    const file = await open('/donations/export.csv');
    const currency = file.split('\r\n')[0]!.split(',').indexOf('Currency');
    const isDollars = (cells: string[]) => cells[currency] === 'USD';
    const sum = (heading: string) => sumColumn(file, heading, isDollars);
    assert.equal(sum('Amount'), GROSS);
    assert.equal(sum('Refunded'), REFUNDED);
    assert.equal(sum('Disputed'), DISPUTED);
    assert.equal(sum('Fee'), fees);
    assert.equal(sum('Dispute fee (part of Fee)'), 3 * 1500);
    assert.equal(sum('Net'), net);
  });

  test('are the sums of the API, from totals, from donations and by month', async () => {
    for (const query of ['', '?q=sums@example.org']) {
      const { data } = await read<DonationSummary>(`/donations/summary${query}`);
      const dollars = data.find(({ currency }) => currency === 'usd');
      assert.partialDeepStrictEqual(dollars, expectedSums());
    }
    const { data } = await read<DonationSeries>('/donations/series?interval=year');
    const sums = data.flatMap((step) => step.sums).filter(({ currency }) => currency === 'usd');
    assert.equal(sums.length, 1);
    assert.partialDeepStrictEqual(sums[0], expectedSums());
    const { data: donations } = await read<List<Donation>>('/donations?limit=100');
    const dollars = donations.filter(({ currency }) => currency === 'usd');
    assert.equal(
      dollars.reduce((sum, { net_amount_cents }) => sum + net_amount_cents!, 0),
      net,
    );
  });

  test('are on the page of each donation', async () => {
    const { id: lost } = await api.donationOf(ids.get('refundedAndLost')!);
    assertShows(await open(`/donations/${lost}`), [
      money(2027),
      money(1009),
      money(2027 - 1009),
      money(1500),
    ]);
    const { id: foreign } = await api.donationOf(ids.get('foreign')!);
    const page = await open(`/donations/${foreign}`);
    assertShows(page, ['In another currency', money(FOREIGN_EUROS, 'eur')]);
    assertShows(page, [money(FOREIGN_DOLLARS), money(foreignNet)]);
  });
});

describe('what is left of donations after refunds and disputes', () => {
  for (const name of ['home', 'donors', 'donor', 'campaigns', 'campaign', 'forms', 'form'] as const)
    test(`is on the page ${name}`, async () => {
      const { contact_id, form_id } = await api.donationOf(ids.get('plain')!);
      const path = {
        home: '',
        donors: '/donors',
        donor: `/donors/${contact_id}`,
        campaigns: '/campaigns',
        campaign: '/campaigns/camp_winter',
        forms: '/forms',
        form: `/forms/${form_id}`,
      }[name];
      assertShows(await open(path), [money(LEFT)]);
    });

  test('is in the export of donors', async () => {
    const file = await open('/donors/export.csv');
    const heading = 'Total after refunds and disputes';
    assert.equal(
      sumColumn(file, heading, (cells) => cells.includes(EMAIL)),
      LEFT,
    );
  });

  test('is in the progress of the campaign', async () => {
    assert.partialDeepStrictEqual(await read('/campaigns/camp_winter/progress'), {
      raised_cents: LEFT,
    });
  });
});

describe('the transactions of each payout', () => {
  test('add up to its amount on its page, in its export and in the API', async () => {
    const { data: payouts } = await read<List<Payout>>('/payouts?limit=100');
    assert.ok(payouts.some(({ status }) => status === 'failed'));
    for (const { id, amount_cents } of payouts) {
      const { data } = await read<List<BalanceTransaction>>(
        `/payouts/${id}/transactions?limit=100`,
      );
      assert.equal(
        data.reduce((sum, entry) => sum + entry.net_amount_cents, 0),
        amount_cents,
      );
      assert.equal(
        sumColumn(await open(`/payouts/${id}/export.csv`), 'Net', () => true),
        amount_cents,
      );
      assertShows(await open(`/payouts/${id}`), [money(amount_cents)]);
    }
  });

  test('count the money of a failed payout once, and belong to the payout that pays it', async () => {
    const { data } = await read<PayoutSummary>('/payouts/summary');
    assert.equal(data[0]!.amount_cents, net + foreignNet);
    const { payout_id } = await api.donationOf(ids.get('plain')!);
    assert.partialDeepStrictEqual(await read(`/payouts/${payout_id}`), { status: 'paid' });
  });
});
