import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import type { Insertable } from 'kysely';
import type { Database } from '@connect-embed/api/db/schema';
import { OWNER, startOauth } from '@connect-embed/api/test-support/app/start-oauth';
import {
  definitionsOf,
  readRows,
  textOf,
  textsOf,
} from '@connect-embed/api/test-support/browser/read-document';

const { api, visitor } = await startOauth();
const { db } = api;
const HOME = '/dashboard/org_harbor';
const LIST = `${HOME}/donations`;
const PAGE = `${LIST}/on-their-way`;
const owner = visitor();

const payment = {
  organization_id: 'org_harbor',
  amount_cents: 5000,
  currency: 'usd',
  status: 'processing',
  status_at: new Date(),
  payment_method: 'us_bank_account',
  source: 'embed',
  source_id: 'es_1',
  donor_name: 'Ida Wells',
  donor_email: 'Ida@example.org',
  expected_at: new Date('2031-03-05T12:00:00Z'),
} as const;
const returned = {
  ...payment,
  id: 'pi_returned',
  status: 'failed',
  expected_at: null,
  failure_code: 'account_closed',
  failure_message: 'The customer’s bank account has been closed.',
} as const;

const insert = (...rows: (Partial<Insertable<Database['payment_intent']>> & { id: string })[]) =>
  db
    .insertInto('payment_intent')
    .values(rows.map((row) => ({ ...payment, ...row })))
    .execute();

const DATE_TERMS = ['Paid', 'Recorded', 'Confirmed by the donor', 'Money arrived'];

/** Tables of payments that are on their way or were returned. */
const UNDER_WAY = ':is([aria-label="On their way"], [aria-label="Returned by the bank"])';

const headings = (document: Parameters<typeof textsOf>[0]) => textsOf(document, 'main h2');

before(async () => {
  await owner.openAs(OWNER, HOME);
});
beforeEach(async () => {
  await db.deleteFrom('payment_intent').execute();
});

describe('donations on their way', () => {
  test('are above the list of donations, with their sum, and in no total', async () => {
    const totalsBefore = textsOf((await owner.open(LIST)).document, '.figures');
    await insert({ id: 'pi_1' }, { id: 'pi_2', donor_name: 'Jane Addams' });
    const { document, text } = await owner.open(LIST);
    assert.deepEqual(textsOf(document, '.figures'), totalsBefore);
    const section = document.querySelector('.on-their-way')!;
    assert.deepEqual(textsOf(section, 'h2'), ['On their way']);
    assert.match(text, /2 donations on their way, \$100\.00\. Not counted/);
    assert.deepEqual(textsOf(section, 'tbody th').sort(), ['Ida Wells', 'Jane Addams']);
    for (const part of ['$50.00', 'US bank account', 'One-time', 'Mar 5, 2031'])
      assert.ok(text.includes(part), part);
    const filtered = await owner.open(`${LIST}?status=refunded`);
    assert.ok(!filtered.document.querySelector('.on-their-way'));
  });

  test('are not of another organization, and not mentioned if there are none', async () => {
    await db
      .insertInto('payment_intent')
      .values({ ...payment, id: 'pi_other', organization_id: 'org_lantern' })
      .execute();
    for (const path of [LIST, HOME])
      assert.doesNotMatch((await owner.open(path)).text, /on (its|their) way/i, path);
  });

  test('are a line below this month on the home page, one sum for each currency', async () => {
    await insert({ id: 'pi_1' }, { id: 'pi_2' }, { id: 'pi_3', currency: 'eur' });
    const month = (await owner.open(HOME)).document.querySelector('section.month')!;
    assert.match(
      textOf(month, `:has(> a[href="${PAGE}"])`)!,
      /3 donations on their way, €50\.00, \$100\.00\. Not counted/,
    );
    assert.equal(textOf(month, `a[href="${PAGE}"]`), '3 donations on their way');
  });

  test('are listed in pages, with those that the bank returned and why', async () => {
    await insert(...Array.from({ length: 26 }, (_, number) => ({ id: `pi_${number}` })));
    await db.insertInto('payment_intent').values(returned).execute();
    const { document, text } = await owner.open(PAGE);
    assert.match(text, /26 donations on their way, \$1,300\.00/);
    const [first, second] = document.querySelectorAll('tbody');
    assert.equal(textsOf(first!, 'tr').length, 25);
    assert.ok(document.querySelector('.pager a[rel=next]'));
    assert.deepEqual(headings(document), ['Returned by the bank']);
    assert.equal(textsOf(second!, 'td[data-head="Reason"]')[0], 'Account closed');
    assert.ok(!text.includes(returned.failure_message));
  });

  test('are found by reference, email address and name, in the list and in the search of all', async () => {
    await insert(
      { id: 'pi_1', reference: 'K7QM-4XTZ', fund_id: 'fund_meals' },
      { id: 'pi_2', donor_name: 'Jane Addams', donor_email: 'jane@example.org' },
      { id: 'pi_other', organization_id: 'org_lantern', reference: 'K7QM-4XTZ' },
    );
    await db
      .insertInto('payment_intent')
      .values({ ...returned, reference: 'H3RT-9FWP' })
      .execute();
    const found = async (path: string, q: string) => {
      const { document } = await owner.post(`${path}/search`, { q });
      return [...document.querySelectorAll(UNDER_WAY)].map((table) => [
        table.getAttribute('aria-label'),
        ...textsOf(table, 'tbody .reference'),
      ]);
    };
    for (const path of [LIST, HOME]) {
      for (const [q, ...tables] of [
        ['k7qm4xtz', ['On their way', 'K7QM-4XTZ']],
        ['H3RT-9FWP', ['Returned by the bank', 'H3RT-9FWP']],
        ['pi_2', ['On their way']],
        ['ida@example.org', ['On their way', 'K7QM-4XTZ'], ['Returned by the bank', 'H3RT-9FWP']],
        ['Addams', ['On their way']],
        ['K7QM-4XTW'],
      ] as const)
        assert.deepEqual(await found(path, q), tables, `${path} ${q}`);
    }
    const { url, document } = await owner.post(`${LIST}/search`, { q: 'K7QM-4XTZ' });
    const [cells] = readRows(document.querySelector(`${UNDER_WAY} tbody`)!);
    for (const text of ['Ida@example.org', 'Weekend meals for children', 'K7QM-4XTZ'])
      assert.ok(cells!.includes(text), `${text} in ${cells}`);
    const filtered = await owner.open(`${url.pathname}${url.search}&status=refunded`);
    assert.ok(!filtered.document.querySelector(UNDER_WAY));
  });

  test('do not include declined cards among the returned payments', async () => {
    const card = { ...returned, payment_method: 'card', donor_name: null, donor_email: null };
    await db.insertInto('payment_intent').values(card).execute();
    assert.match((await owner.open(PAGE)).text, /No payment was returned/);
  });

  test('are on the page of their donor, recognized by email address', async () => {
    await db
      .insertInto('donor')
      .values({
        id: 'dnr_ida',
        organization_id: 'org_harbor',
        first_name: 'Ida',
        email: 'ida@example.org',
        source: 'api',
      })
      .execute();
    await insert({ id: 'pi_1' }, { id: 'pi_2', donor_email: 'jane@example.org' });
    await db.insertInto('payment_intent').values(returned).execute();
    const { document } = await owner.open(`${HOME}/donors/dnr_ida`);
    const titles = headings(document);
    assert.ok(titles.includes('On their way') && titles.includes('Returned by the bank'));
    assert.equal(document.querySelectorAll('[aria-label="On their way"] tbody tr').length, 1);
  });
});

describe('a recurring donation by bank debit', () => {
  const plan = {
    id: 'plan_debit',
    organization_id: 'org_harbor',
    amount_cents: 5000,
    currency: 'usd',
    frequency: 'monthly',
    status: 'active',
    donor_name: 'Ida Wells',
    donor_email: 'ida@example.org',
    amounts: '',
    source: 'embed',
    processor_subscription_id: 'sub_debit',
    processor_customer_id: 'cus_debit',
    card_label: 'us_bank_account 6789',
  } as const;

  beforeEach(async () => {
    await db.deleteFrom('recurring_plan').where('id', '=', plan.id).execute();
    await db.insertInto('recurring_plan').values(plan).execute();
  });
  const setPlan = (set: { status?: 'past_due' | 'active'; payment_method_lost_at?: Date }) =>
    db.updateTable('recurring_plan').set(set).where('id', '=', plan.id).execute();

  test('shows its payment on the way, and names the payment method', async () => {
    await db
      .insertInto('payment_intent')
      .values({ ...payment, id: 'pi_1', plan_id: plan.id })
      .execute();
    const { document, text } = await owner.open(`${HOME}/plans/${plan.id}`);
    assert.ok(text.includes('US bank account •••• 6789'));
    assert.ok(headings(document).includes('On their way'));
    const list = await owner.open(LIST);
    assert.ok(list.document.querySelector(`tbody a[href="${HOME}/plans/${plan.id}"]`));
  });

  test('needs attention when its bank account can no longer be charged', async () => {
    await setPlan({ payment_method_lost_at: new Date('2026-03-05T12:00:00Z') });
    const home = await owner.open(HOME);
    assert.match(home.text, /1 recurring donation needs another payment method/);
    const list = await owner.open(`${HOME}/plans?needs=method`);
    assert.deepEqual(textsOf(list.document, 'tbody th'), ['Ida Wells']);
    assert.ok(textsOf(list.document, '.badge').includes('Needs payment method'));
    const page = await owner.open(`${HOME}/plans/${plan.id}`);
    assert.match(page.text, /cannot be charged since/);
    const asked = await owner.post(`${HOME}/plans/${plan.id}/ask-for-method`, {});
    assert.match(asked.text, /on its way to the donor/);
    assert.doesNotMatch(asked.text, /tried at once/);
  });

  test('says that its first payment was returned', async () => {
    await setPlan({ status: 'past_due' });
    const page = await owner.open(`${HOME}/plans/${plan.id}`);
    assert.match(page.text, /returned the first payment/);
    assert.match((await owner.open(HOME)).text, /recurring donation whose payment failed/);
  });
});

describe('a donation by bank debit', () => {
  const donation = {
    id: 'don_debit',
    organization_id: 'org_harbor',
    amount_cents: 5000,
    currency: 'eur',
    payment_method: 'sepa_debit',
    processor_payment_intent_id: 'pi_debit',
    source: 'embed',
  } as const;
  const paidDaysAgo = async (days: number) => {
    await db.deleteFrom('donation').where('id', '=', donation.id).execute();
    const paid_at = new Date(Date.now() - days * 86_400_000);
    await db
      .insertInto('donation')
      .values({ ...donation, paid_at, livemode: false })
      .execute();
  };

  test('warns that a refund within 7 business days may credit the donor twice', async () => {
    await paidDaysAgo(1);
    assert.match((await owner.open(`${LIST}/don_debit/refund`)).text, /credited twice/);
    await paidDaysAgo(14);
    assert.doesNotMatch((await owner.open(`${LIST}/don_debit/refund`)).text, /credited twice/);
    await paidDaysAgo(1);
    await db
      .updateTable('donation')
      .set({ payment_method: 'card' })
      .where('id', '=', donation.id)
      .execute();
    assert.doesNotMatch((await owner.open(`${LIST}/don_debit/refund`)).text, /credited twice/);
  });

  test('has the day on which the donor confirmed it, and the day on which the money arrived', async () => {
    await paidDaysAgo(5);
    const datesShown = async () =>
      definitionsOf((await owner.open(`${LIST}/don_debit`)).document).flatMap(([term]) =>
        DATE_TERMS.includes(term) ? [term] : [],
      );
    assert.deepEqual(await datesShown(), ['Confirmed by the donor', 'Money arrived']);
    const set = (values: { payment_method: 'card'; created_at?: Date }) =>
      db.updateTable('donation').set(values).where('id', '=', donation.id).execute();
    await set({ payment_method: 'card' });
    assert.deepEqual(await datesShown(), ['Paid', 'Recorded']);
    const { paid_at } = await db
      .selectFrom('donation')
      .select('paid_at')
      .where('id', '=', donation.id)
      .executeTakeFirstOrThrow();
    await set({ payment_method: 'card', created_at: paid_at });
    assert.deepEqual(await datesShown(), ['Paid']);
  });

  test('says that its dispute cannot be contested', async () => {
    await paidDaysAgo(20);
    const dispute = {
      id: 'dis_debit',
      organization_id: 'org_harbor',
      donation_id: donation.id,
      processor_dispute_id: 'du_debit',
      amount_cents: 5000,
      status: 'lost',
    } as const;
    await db.insertInto('donation_dispute').values(dispute).execute();
    const { document, text } = await owner.open(`${LIST}/don_debit`);
    assert.match(text, /cannot be contested.*8 weeks.*13 months/);
    assert.ok(!textsOf(document, 'th').includes('Respond by'));
    assert.ok(text.includes('SEPA direct debit'));
  });
});
