import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type pg from 'pg';
import { fillLists } from '../../../test-support/fill-lists.ts';
import { startApi } from '../../../test-support/start-api.ts';
import { findDonor } from '../../payments/donors/find-donor.ts';
import { loadCampaignTotals, loadRaisedCents } from '../../resources/catalogue/raised.ts';
import { loadFormTotals } from '../../resources/forms/form-totals.ts';
import type { Membership } from '../../users/membership.ts';
import { loadDonorHistory } from './donors/donor-history.ts';
import { loadAttention } from './home/attention.ts';
import { monthPeriods } from './home/month-periods.ts';
import { loadFormComparison, loadMonthTotals } from './home/month-totals.ts';

const { db, pool } = await startApi();
const organizationId = 'org_harbor';

before(async () => {
  await fillLists(db);
  await pool.query(
    `insert into form (id, organization_id, slug, name, draft)
     values ('form_1', 'org_harbor', 'one', 'One', '{}')`,
  );
  await pool.query(
    `update donation set form_id = 'form_1' where id in (
       select id from donation where organization_id = 'org_harbor' order by id limit 60)`,
  );
  await pool.query(`update donation set campaign_id = 'camp_winter' where id in (
    select id from donation where organization_id = 'org_harbor' order by id desc limit 60)`);
  // The plans of index-only scans need the visibility map.
  await pool.query('vacuum analyze');
});

interface Statement {
  text: string;
  values: unknown[];
}

/** Runs an action and returns the statements that it sent to the database. */
async function statementsOf(action: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const recorded = new Set<pg.PoolClient>();
  const record = (client: pg.PoolClient) => {
    if (recorded.has(client)) return;
    recorded.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const recording = (...args: unknown[]) => {
      if (typeof args[0] === 'string' && Array.isArray(args[1]))
        statements.push({ text: args[0], values: args[1] });
      return query(...args);
    };
    Object.assign(client, { query: recording });
  };
  pool.on('acquire', record);
  await action();
  pool.off('acquire', record);
  for (const client of recorded) Reflect.deleteProperty(client, 'query');
  return statements;
}

/** Returns the plans of the statements of an action. */
async function plansOf(action: () => Promise<unknown>): Promise<string[]> {
  const statements = await statementsOf(action);
  const client = await pool.connect();
  try {
    await client.query('begin; set local random_page_cost = 1.1');
    const plans: string[] = [];
    for (const { text, values } of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (costs off) ${text}`,
        values,
      );
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return plans;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const periods = monthPeriods('America/New_York');
const member: Membership = {
  organizationId,
  organizationName: 'Harbor',
  timeZone: 'UTC',
  role: 'owner',
  permissions: new Set(['donations:read', 'payouts:read']),
  requiresSecondFactor: false,
};

describe('pages of the dashboard read few rows of a large table', () => {
  for (const [name, action, index] of [
    [
      'this month against last month',
      () => loadMonthTotals(db, { organizationId, currency: 'usd' }, periods),
      /Index Only Scan using donation_by_payment_time/,
    ],
    [
      'this month by form',
      async () => {
        await loadFormComparison(db, organizationId, periods);
      },
      /Index Only Scan using donation_by_payment_time|Scan .*form/,
    ],
    [
      'the totals of forms',
      () => loadFormTotals(db, organizationId, ['form_1']),
      /Index Only Scan using donation_of_form/,
    ],
    [
      'the raised amounts of campaigns',
      () => loadRaisedCents(db, organizationId, ['camp_winter']),
      /Index Only Scan using donation_of_campaign/,
    ],
    [
      'the totals of a campaign',
      () => loadCampaignTotals(db, organizationId, 'camp_winter'),
      /Index Only Scan using donation_of_campaign/,
    ],
    [
      // `processor_account` has one row for each organization.
      'what needs attention',
      () => loadAttention(db, member),
      /using (donation_disputed|recurring_plan_by_status|payout_list)|on (donation_disputed|recurring_plan_by_status|payout_list|processor_account)/,
    ],
  ] as const) {
    test(name, async () => {
      const plans = await plansOf(action);
      assert.ok(plans.length > 0);
      for (const plan of plans) {
        assert.match(plan, index, plan);
        assert.doesNotMatch(
          plan,
          /Seq Scan on (donation|donor|recurring_plan|payout|mail)\b/,
          plan,
        );
      }
    });
  }

  test('the history of a donor', async () => {
    const { rows } = await pool.query<{ id: string }>(
      `select id from donor where organization_id = 'org_harbor' and email is not null limit 1`,
    );
    const donor = await findDonor(db, organizationId, rows[0]!.id);
    for (const plan of await plansOf(() => loadDonorHistory(db, donor, true)))
      assert.doesNotMatch(plan, /Seq Scan on (donation|recurring_plan)\b/, plan);
  });
});
