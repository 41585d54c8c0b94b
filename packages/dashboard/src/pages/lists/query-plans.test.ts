import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Temporal } from 'temporal-polyfill';
import { fillLists } from '@connect-embed/api/test-support/database/fill-lists';
import { recordStatements } from '@connect-embed/api/test-support/app/record-statements';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import { findDonor } from '@connect-embed/api/payments/donors/find-donor';
import { listRefusedSites } from '@connect-embed/api/resources/allowed-sites/site-requests';
import { loadCampaignTotals, loadRaisedCents } from '@connect-embed/api/resources/catalogue/raised';
import {
  listFileForms,
  loadFileFormTotals,
  loadFormTotals,
} from '@connect-embed/api/resources/forms/form-totals';
import type { Membership } from '@connect-embed/api/users/membership';
import { selectDonations } from '../../donations/donation-query.ts';
import { loadDonorHistory } from '../../donors/donor-history.ts';
import { loadAttention } from '../../home/attention.ts';
import { monthPeriods, type MonthPeriods } from '../../home/month-periods.ts';
import { loadComparison, loadMonthTotals } from '../../home/month-totals.ts';

const { db, pool } = await startApi();
const organizationId = 'org_harbor';
/** Of the newest donation, because the first days of a month may have none. */
let periods: MonthPeriods;

before(async () => {
  await fillLists(db);
  await pool.query(
    `insert into form (id, organization_id, slug, name, draft)
     values ('form_1', 'org_harbor', 'one', 'One', '{}')`,
  );
  await pool.query(
    `update donation set form_id = 'form_1' where id in (
       select id from donation where organization_id = 'org_harbor'
       order by created_at desc limit 60)`,
  );
  await pool.query(
    `update donation set form_name = 'meals' where id in (
       select id from donation where organization_id = 'org_harbor' and form_id is null order by id limit 60)`,
  );
  await pool.query(`update donation set campaign_id = 'camp_winter' where id in (
    select id from donation where organization_id = 'org_harbor' order by id desc limit 60)`);
  await pool.query(
    `insert into mail (id, organization_id, kind, deduplication_key, donation_id, status, sent_at,
       next_attempt_at)
     select 'mail_' || id, organization_id, 'receipt', id, id, 'sent', now(), null from donation
     where organization_id = 'org_harbor'`,
  );
  await pool.query(
    `insert into refund (id, organization_id, donation_id, amount_cents, status, processor_refund_id, created_at)
     select 'ref_' || id, organization_id, id, 1, 'failed', 're_' || id, created_at from donation
     where organization_id = 'org_harbor'`,
  );
  const { rows } = await pool.query<{ newest: Date }>(
    `select max(created_at) as newest from donation where organization_id = 'org_harbor'`,
  );
  const newest = Temporal.Instant.fromEpochMilliseconds(rows[0]!.newest.getTime());
  periods = monthPeriods('America/New_York', newest);
  // The plans of index-only scans need the visibility map.
  await pool.query('vacuum analyze');
});

/** Returns the plans of the statements of an action. */
async function plansOf(action: () => Promise<unknown>): Promise<string[]> {
  const [, statements] = await recordStatements(pool, action);
  // PostgreSQL sorts all rows for it.
  for (const { text } of statements) assert.doesNotMatch(text, /count\(distinct/);
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

const member: Membership = {
  organizationId,
  organizationName: 'Harbor',
  timeZone: 'UTC',
  role: 'owner',
  permissions: new Set(['donations:read', 'payouts:read']),
  requiresSecondFactor: false,
};

const SEQUENTIAL_SCAN = /Seq Scan on (donation|donor|recurring_plan|payout|refund|mail)\b/;

describe('pages of the dashboard read few rows of a large table', () => {
  for (const [name, action, ...indexes] of [
    [
      'this month against last month',
      () => loadMonthTotals(db, { organizationId, currency: 'usd' }, periods),
      /Index Only Scan using donation_list/,
    ],
    [
      'this month by form',
      () => loadComparison(db, organizationId, periods, 'form'),
      /Index Only Scan using donation_list/,
      /Scan .*form/,
    ],
    [
      'this month by fund',
      () => loadComparison(db, organizationId, periods, 'fund'),
      /Index Only Scan using donation_list/,
      /Scan .*fund/,
    ],
    [
      'the totals of forms',
      () => loadFormTotals(db, organizationId, ['form_1']),
      /Index Only Scan using donation_of_form\b/,
    ],
    [
      'the totals of forms in a file',
      () => loadFileFormTotals(db, organizationId),
      /Index Only Scan using donation_of_form_name/,
    ],
    [
      'the names of forms in a file',
      () => listFileForms(db, organizationId, 200),
      /Index Only Scan using donation_of_form_name/,
    ],
    [
      'the donations through a form in a file',
      () =>
        selectDonations(db, organizationId, { form_name: 'meals' })
          .orderBy('donation.created_at', 'desc')
          .orderBy('donation.id', 'desc')
          .limit(25)
          .execute(),
      /Index Scan Backward using donation_of_form_name/,
    ],
    [
      'the raised amounts of campaigns',
      () => loadRaisedCents(db, organizationId, ['camp_winter']),
      /using donation_total_pkey/,
    ],
    [
      'the totals of a campaign',
      () => loadCampaignTotals(db, organizationId, 'camp_winter'),
      /Index Only Scan using donation_of_campaign/,
    ],
    [
      'what needs attention',
      () => loadAttention(db, member),
      / donation_disputed/,
      / recurring_plan_by_status/,
      / recurring_plan_without_method/,
      / donor_erased/,
      / payout_list/,
      / refund_list/,
      / processor_account/, // It has one row for each organization.
    ],
    [
      'websites that could not show a form',
      () => listRefusedSites(db, organizationId),
      / allowed_site_request/, // An organization has at most 30 rows.
    ],
  ] as const) {
    test(name, async () => {
      const plans = await plansOf(action);
      for (const index of indexes)
        assert.ok(
          plans.some((plan) => index.test(plan)),
          `${index}`,
        );
      for (const plan of plans) {
        assert.ok(
          indexes.some((index) => index.test(plan)),
          plan,
        );
        assert.doesNotMatch(plan, SEQUENTIAL_SCAN, plan);
      }
    });
  }

  test('the history of a donor', async () => {
    const { rows } = await pool.query<{ id: string }>(
      `select id from donor where organization_id = 'org_harbor' and email is not null limit 1`,
    );
    const donor = await findDonor(db, organizationId, rows[0]!.id);
    const plans = await plansOf(() => loadDonorHistory(db, donor, true));
    assert.equal(plans.length, 2);
    for (const plan of plans) assert.doesNotMatch(plan, SEQUENTIAL_SCAN, plan);
  });
});
