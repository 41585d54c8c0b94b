import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import type { Insertable } from 'kysely';
import type { Database } from '@connect-embed/api/db/schema';
import { OWNER, startOauth, VOLUNTEER } from '@connect-embed/api/test-support/app/start-oauth';
import { textsOf } from '@connect-embed/api/test-support/browser/read-document';

const { api, visitor } = await startOauth();
const { db } = api;
const HOME = '/dashboard/org_harbor';
const PLANS = `${HOME}/plans`;
const owner = visitor();

type Plan = Insertable<Database['recurring_plan']>;
const insertPlan = (id: string, set: Partial<Plan> = {}) =>
  db
    .insertInto('recurring_plan')
    .values({
      ...{ id: `plan_${id}`, organization_id: 'org_harbor', status: 'past_due', source: 'embed' },
      ...{ amount_cents: 2500, currency: 'usd', frequency: 'monthly', amounts: '500-10000' },
      ...{ donor_name: id, donor_email: `${id}@example.org`, card_label: 'visa 4242' },
      processor_subscription_id: `sub_failing_${id}`,
      processor_customer_id: `cus_failing_${id}`,
      ...{ failure_code: 'expired_card', failed_attempts: 2 },
      next_attempt_at: new Date('2031-03-05T12:00:00Z'),
      ...set,
    } as const)
    .execute();
const insertPayment = (plan: string, set: Partial<Insertable<Database['donation']>> = {}) =>
  db
    .insertInto('donation')
    .values({
      ...{ id: `don_${plan}`, organization_id: 'org_harbor', plan_id: `plan_${plan}` },
      ...{ amount_cents: 2500, currency: 'usd', source: 'embed', recurring: true },
      ...set,
    } as const)
    .execute();
const emails = () =>
  db.selectFrom('mail').select(['kind', 'details']).where('plan_id', 'is not', null).execute();

before(async () => {
  await owner.openAs(OWNER, HOME);
});
beforeEach(async () => {
  await db.deleteFrom('mail').execute();
  await db.deleteFrom('donation').where('plan_id', 'is not', null).execute();
  await db.deleteFrom('recurring_plan').execute();
});

describe('failed payments of recurring donations', () => {
  test('are listed by what they bring in a year, one currency at a time', async () => {
    await insertPlan('Ana', { amount_cents: 1000 });
    await insertPlan('Ben', { amount_cents: 13_000, frequency: 'yearly' });
    await insertPlan('Cleo', { amount_cents: 900_000, currency: 'eur' });
    await insertPlan('Dora', { amount_cents: 3500, frequency: 'quarterly' });
    await insertPlan('Eve', { status: 'active' });
    await insertPlan('Finn', { organization_id: 'org_lantern' });
    const { document } = await owner.open(`${PLANS}/failing`);
    assert.deepEqual(textsOf(document, 'main h2'), [
      'USD: $390.00 a year',
      'EUR: €108,000.00 a year',
    ]);
    assert.deepEqual(textsOf(document, 'tbody th'), ['Dora', 'Ben', 'Ana', 'Cleo']);
    assert.deepEqual(textsOf(document, 'tbody tr:first-child td').slice(0, 3), [
      'Card has expired',
      '2',
      'Mar 5, 2031',
    ]);
    const home = await owner.open(HOME);
    assert.ok(home.document.querySelector(`.attention a[href="${PLANS}/failing"]`));
    const list = await owner.open(PLANS);
    assert.match(list.text, /4\s+recurring donations whose payment failed/);
  });

  test('that were paid since are a sum of this month', async () => {
    for (const plan of ['Ana', 'Ben', 'Cleo']) await insertPlan(plan, { status: 'active' });
    await insertPayment('Ana', { recovered: true, refunded_amount_cents: 500 });
    await insertPayment('Ben');
    const lastMonth = new Date(Date.now() - 32 * 86_400_000);
    await insertPayment('Cleo', { recovered: true, created_at: lastMonth });
    for (const path of [PLANS, `${PLANS}/failing`])
      assert.match((await owner.open(path)).text, /Recovered this month: \$20\.00\./, path);
  });
});

describe('a recurring donation whose payment failed', () => {
  const path = `${PLANS}/plan_Ana`;

  test('says why, how many tries there were, when the next one is, and what the donor was sent', async () => {
    await insertPlan('Ana');
    await insertPayment('Ana');
    await db
      .insertInto('mail')
      .values({
        ...{ id: 'mail_1', organization_id: 'org_harbor', plan_id: 'plan_Ana' },
        ...{ kind: 'plan_failed', deduplication_key: 'plan_failed 1' },
        status: 'sent',
        next_attempt_at: null,
        sent_at: new Date('2026-03-04T12:00:00Z'),
      })
      .execute();
    const { document } = await owner.open(path);
    assert.deepEqual(textsOf(document, '.notice dd'), [
      'Card has expired',
      '2',
      'Mar 5, 2031',
      '“Payment failed”, sent Mar 4, 2026',
    ]);
    assert.deepEqual(textsOf(document, '.notice button'), ['Send link for a new card']);
    await db.updateTable('recurring_plan').set({ next_attempt_at: null }).execute();
    assert.match((await owner.open(path)).text, /does not try again/);
  });

  test('names the reason of a bank debit, and asks for another payment method', async () => {
    await insertPlan('Ana', { card_label: 'sepa_debit 3201', failure_code: 'account_closed' });
    const { document } = await owner.open(path);
    assert.equal(textsOf(document, '.notice dd')[0], 'Account closed');
    assert.deepEqual(textsOf(document, '.notice button'), ['Send link for another payment method']);
  });

  test('sends the donor a link, at most three times a day', async () => {
    await insertPlan('Ana');
    await insertPayment('Ana');
    const ask = async () => (await owner.post(`${path}/ask-for-method`, {})).text;
    assert.match(await ask(), /on its way to the donor/);
    const details = { failure_code: 'expired_card' };
    assert.deepEqual(await emails(), [{ kind: 'plan_failed', details }]);
    await ask();
    await ask();
    assert.match(await ask(), /3 emails in the last 24 hours/);
    assert.equal((await emails()).length, 3);
  });

  test('sends no link without an address, after it was paid, or for a member without the right', async () => {
    await insertPlan('Ana', { donor_email: null });
    const { document, text } = await owner.open(path);
    assert.equal(document.querySelector('.notice button'), null);
    assert.match(text, /left no address/);
    await db
      .updateTable('recurring_plan')
      .set({ donor_email: 'a@example.org', status: 'active' })
      .execute();
    await owner.post(`${path}/ask-for-method`, {});
    await db.updateTable('recurring_plan').set({ status: 'past_due' }).execute();
    const member = visitor();
    await member.openAs(VOLUNTEER, HOME);
    assert.equal((await member.post(`${path}/ask-for-method`, {})).status, 403);
    assert.deepEqual(await emails(), []);
  });
});
