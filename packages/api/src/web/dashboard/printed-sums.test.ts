import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApi } from '../../../test-support/start-api.ts';
import { DEMO_PEOPLE } from '../../users/demo-people.ts';

const api = await startApi();
const OWNER = DEMO_PEOPLE[0]!.email;
const HOME = '/dashboard/org_lantern';

/** Columns of a donation, and what is left of it. No two sums of them are equal, so a page has only one match. */
const DONATIONS = [
  { amount_cents: 100_003, left: 100_003 },
  { amount_cents: 20_011, refunded_amount_cents: 5003, refund_status: 'partial', left: 15_008 },
  { amount_cents: 4019, disputed_amount_cents: 4019, dispute_status: 'lost', left: 0 },
  { amount_cents: 3023, dispute_status: 'won', left: 3023 },
  // The bank returned the whole amount after a part of it had been refunded.
  {
    amount_cents: 2027,
    refunded_amount_cents: 1009,
    refund_status: 'partial',
    disputed_amount_cents: 2027,
    dispute_status: 'lost',
    left: 0,
  },
];
const LEFT_CENTS = DONATIONS.reduce((sum, { left }) => sum + left, 0);

const dollars = (cents: number) =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'usd' });

before(async () => {
  for (const table of ['donation', 'payout'])
    await api.pool.query(`delete from ${table} where organization_id = 'org_lantern'`);
  await api.pool.query(
    `insert into donor (id, organization_id, first_name, source)
      values ('dnr_sums', 'org_lantern', 'Sam', 'api')`,
  );
  await api.pool.query(
    `insert into campaign (id, organization_id, slug, name, goal_cents, is_active)
      values ('camp_sums', 'org_lantern', 'sums', 'Winter', 1000000, true)`,
  );
  await api.pool.query(
    `insert into form (id, organization_id, slug, name, draft)
      select 'form_sums', 'org_lantern', 'sums', 'Main form', draft from form limit 1`,
  );
  await api.pool.query(
    `insert into form_version (organization_id, form_id, version, settings)
      select 'org_lantern', 'form_sums', 1, draft from form where id = 'form_sums'`,
  );
  await api.pool.query(`update form set live_version = 1 where id = 'form_sums'`);
  for (const [index, { left: _, ...columns }] of DONATIONS.entries()) {
    await api.db
      .insertInto('donation')
      .values({
        id: `don_sums${index}`,
        organization_id: 'org_lantern',
        currency: 'usd',
        contact_id: 'dnr_sums',
        campaign_id: 'camp_sums',
        form_id: 'form_sums',
        source: 'api',
        fee_cents: 100,
        ...columns,
      })
      .execute();
  }
});

/** Opens a page as the organization's owner. */
async function open(path: string): Promise<string> {
  const person = api.visitor();
  await person.openAs(OWNER, HOME);
  const page = await person.open(`${HOME}${path}`);
  assert.equal(page.status, 200);
  return page.text;
}

describe('what is left of donations after refunds and disputes', () => {
  test('is the same in every column of the database', async () => {
    const rows = await api.db
      .selectFrom('donation')
      .where('organization_id', '=', 'org_lantern')
      .orderBy('id')
      .select('remaining_amount_cents')
      .execute();
    assert.deepEqual(
      rows.map(({ remaining_amount_cents }) => remaining_amount_cents),
      DONATIONS.map(({ left }) => left),
    );
  });

  for (const path of [
    '', // The home page.
    '/donors',
    '/donors/dnr_sums',
    '/campaigns',
    '/campaigns/camp_sums',
    '/forms',
    '/forms/form_sums',
  ])
    test(`is on the page ${path || '/'}`, async () => {
      assert.ok((await open(path)).includes(dollars(LEFT_CENTS)));
    });

  test('is in the export of donors', async () => {
    const row = (await open('/donors/export.csv'))
      .split('\r\n')
      .find((line) => line.includes('dnr_sums'));
    assert.ok(row?.split(',').includes((LEFT_CENTS / 100).toFixed(2)), row);
  });

  test('is in the progress of the campaign', async () => {
    const { token } = await api.createKey(undefined, 'org_lantern');
    const response = await api.get('/campaigns/camp_sums/progress', token);
    assert.partialDeepStrictEqual(await response.json(), { raised_cents: LEFT_CENTS });
  });
});
