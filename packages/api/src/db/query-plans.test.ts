import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DonationListQuery,
  DonorListQuery,
  EventListQuery,
  ListQuery,
  PayoutListQuery,
  ProcessingPaymentQuery,
  RecurringPlanListQuery,
  RegistrationListQuery,
} from '@connect-embed/contract';
import type { z } from 'zod';
import { fillLists } from '../../test-support/database/fill-lists.ts';
import { startApi } from '../../test-support/app/start-api.ts';
import { encodeCursor } from '../resources/lists/cursor.ts';
import { DEMO_ORGANIZATION_ID as ORGANIZATION } from './seed.ts';

const { db, deps, pool, get, createKey } = await startApi();
await fillLists(db);

interface Statement {
  text: string;
  values: unknown[];
}

/** The demo data ends today, so a fixed date would be in another part of it every month. */
const daysAgo = (days: number) =>
  `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;

/** The statements that requests have sent to the database, in order. */
const statements: Statement[] = [];
const recorded = new WeakSet<object>();
pool.on('acquire', (client) => {
  if (recorded.has(client)) return;
  recorded.add(client);
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((text: unknown, values: unknown[], ...rest: unknown[]) => {
    if (typeof text === 'string') statements.push({ text, values });
    return query(text, values, ...rest);
  }) as typeof client.query;
});

/** Sends a request and returns the statements that read its page. */
async function statementsOf(path: string): Promise<Statement[]> {
  const { token } = await createKey(); // Each request has its own rate limit.
  statements.length = 0;
  const response = await get(path, token);
  assert.equal(response.status, 200, await response.text());
  return statements.filter(({ text }) => text.includes('sort_key'));
}

/** Sends a request and returns the only statement that read its page. */
async function statementOf(path: string): Promise<Statement> {
  const [statement, ...others] = await statementsOf(path);
  assert.deepEqual(others, [], path);
  return statement!;
}

/** Returns the cursor of a page in the middle of a list. */
async function cursorOf({ path, table, query }: List, filter: string): Promise<string> {
  const parameters = query.parse(Object.fromEntries(new URLSearchParams(filter)));
  const { limit: _, updated_since, ...filters } = parameters as ListQuery & Record<string, string>;
  const [, owner, ownerId] = /^(event|payout)s\/(\w+)\//.exec(path) ?? [];
  const page = {
    table: table as 'donation',
    organizationId: ORGANIZATION,
    filters: owner ? { ...filters, [`${owner}_id`]: ownerId! } : filters,
    query: { limit: 25, updated_since },
  };
  const keys = { amount_cents: 100, donor_name: 'm', name: 'm' } as Record<string, string | number>;
  const key = keys[filters['sort']?.replace('-', '') ?? ''] ?? Date.parse(daysAgo(45));
  return await encodeCursor(deps.cursorEncrypter, page, { key, id: 'm' });
}

const textOf = ({ rows }: { rows: { 'QUERY PLAN': string }[] }) =>
  rows.map((row) => row['QUERY PLAN']).join('\n');

/**
 * Returns the plan of a statement for its values.
 *
 * `random_page_cost` is set as in the embedded server, so that every server chooses the same plans.
 */
async function planOf({ text, values }: Statement): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('begin; set local random_page_cost = 1.1');
    return textOf(await client.query(`explain (costs off) ${text}`, values));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const DAY = `created_from=${daysAgo(275)}&created_to=${daysAgo(274)}`;
const SINCE = `updated_since=${daysAgo(60)}`;

interface List {
  path: string;
  table: string;
  query: z.ZodObject;
  /** Query strings, each with the index that must serve it in the list's order. */
  indexes: Record<string, string>;
  /** Query strings whose rows are found first and sorted afterwards, each with the index that finds them. */
  found?: Record<string, string>;
}

/** Query that filters by `starts_at`, while the list is sorted by `created_at`. */
const UPCOMING = 'upcoming=true';

/** Returns a list whose only filter is `updated_since`. */
const plain = (path: string, table: string): List => ({
  path,
  table,
  query: ListQuery,
  indexes: { '': `${table}_list`, [SINCE]: `${table}_list` },
});

const LISTS: readonly List[] = [
  {
    ...plain('donations', 'donation'),
    query: DonationListQuery,
    indexes: {
      '': 'donation_list',
      [SINCE]: 'donation_list',
      [`created_from=${daysAgo(275)}`]: 'donation_list',
      [`created_to=${daysAgo(275)}`]: 'donation_list',
      [DAY]: 'donation_list',
      'fund_id=fund_1': 'donation_of_fund',
      'campaign_id=camp_winter': 'donation_of_campaign',
      'campaign_id=camp_none': 'donation_of_campaign',
      [`campaign_id=camp_winter&${DAY}`]: 'donation_of_campaign',
      'recurring=true': 'donation_recurring',
      'recurring=false': 'donation_list',
      'refund_status=full': 'donation_refunded',
      'refund_status=partial': 'donation_refunded',
      'refund_status=partial&dispute_status=none': 'donation_refunded',
      'refund_status=none': 'donation_list',
      'dispute_status=open': 'donation_disputed',
      'dispute_status=lost': 'donation_disputed',
      'dispute_status=none': 'donation_list',
      'fund_id=fund_1&refund_status=partial': 'donation_refunded',
      'payment_method=us_bank_account': 'donation_by_method',
      'payment_method=crypto': 'donation_by_method',
      'card_brand=jcb': 'donation_by_brand',
      'payout_id=payout_7': 'donation_of_payout',
      'livemode=false': 'donation_test',
      'livemode=true': 'donation_list',
      'sort=created_at': 'donation_list',
      'sort=amount_cents': 'donation_by_amount',
      'sort=-amount_cents': 'donation_by_amount',
      'sort=donor_name': 'donation_by_name',
      'sort=-donor_name': 'donation_by_name',
      'sort=-amount_cents&amount_from_cents=2500&amount_to_cents=5000': 'donation_by_amount',
      [`sort=-amount_cents&${SINCE}`]: 'donation_by_amount',
    },
    found: {
      'q=zqrare': 'donation_search',
      'q=K7QM-4XTZ': 'donation_search',
      'q=nobody@example.org': 'donation_search',
      'q=zqrare&recurring=true': 'donation_(search|recurring)',
      'q=zqrare&sort=-amount_cents': 'donation_search',
      'q=don_none': 'donation_pkey',
      'amount_from_cents=99999999': 'donation_by_amount',
    },
  },
  {
    ...plain('donors', 'donor'),
    query: DonorListQuery,
    indexes: {
      ...plain('donors', 'donor').indexes,
      [DAY]: 'donor_list',
      'sort=name': 'donor_by_name',
      'sort=-name': 'donor_by_name',
    },
    found: {
      'q=zqrare': 'donor_search',
      'q=5550100': 'donor_search',
      'q=dnr_none': 'donor_pkey',
      [`donated_from=${daysAgo(275)}&donated_to=${daysAgo(274)}&recurring=true`]:
        'donation_(of_donor|recurring)',
    },
  },
  {
    ...plain('payouts', 'payout'),
    query: PayoutListQuery,
    indexes: {
      ...plain('payouts', 'payout').indexes,
      [DAY]: 'payout_list',
      'livemode=false': 'payout_list',
      'sort=arrival_date': 'payout_by_arrival',
      'sort=-amount_cents': 'payout_by_amount',
    },
    found: {
      'q=zqrare': 'payout_search',
      'q=po_none': 'payout_pkey',
      'amount_from_cents=999999&amount_to_cents=9999999': 'payout_by_amount',
      'status=failed': 'payout_list',
      [`arrival_from=${daysAgo(275)}&arrival_to=${daysAgo(274)}`]: 'payout_by_arrival',
    },
  },
  plain('donations/funds', 'fund'),
  plain('payouts/payout_7/transactions', 'balance_transaction'),
  plain('funds', 'fund'),
  plain('campaigns', 'campaign'),
  {
    ...plain('recurring-plans', 'recurring_plan'),
    query: RecurringPlanListQuery,
    indexes: {
      ...plain('recurring-plans', 'recurring_plan').indexes,
      'livemode=false': 'recurring_plan_test',
    },
  },
  {
    ...plain('payment-intents', 'payment_intent'),
    query: ProcessingPaymentQuery,
    indexes: {
      'status=processing': 'payment_intent_processing',
      [`status=processing&${SINCE}`]: 'payment_intent_processing',
      'status=processing&livemode=false': 'payment_intent_processing',
    },
  },
  {
    ...plain('events', 'event'),
    query: EventListQuery,
    indexes: {
      '': 'event_list',
      [SINCE]: 'event_list',
      'published=false': 'event_list_published',
      'published=true': 'event_list',
    },
  },
  {
    ...plain('events/event_7/registrations', 'registration'),
    query: RegistrationListQuery,
    indexes: {
      '': 'registration_list',
      [SINCE]: 'registration_list',
      'status=waitlisted': 'registration_list_status',
      'status=refunded': 'registration_list_status',
    },
  },
];

for (const list of LISTS) {
  const { path, table, query, indexes, found = {} } = list;
  describe(`GET /${path}`, () => {
    test('is tested with each of its query parameters', () => {
      const testedParameters = new Set(
        [
          ...Object.keys(indexes),
          ...Object.keys(found),
          'limit=25&cursor=there',
          path === 'events' ? UPCOMING : '',
        ].flatMap((query) => [...new URLSearchParams(query).keys()]),
      );
      assert.deepEqual([...testedParameters].sort(), Object.keys(query.shape).sort());
    });

    for (const [filter, index] of Object.entries(indexes)) {
      test(`reads a page of ${filter || 'no filter'} in the order of ${index}`, async () => {
        const cursor = await cursorOf(list, filter);
        const firstPlan = await planOf(await statementOf(`/${path}?${filter}`));
        const nextPlan = await planOf(await statementOf(`/${path}?${filter}&cursor=${cursor}`));
        for (const plan of [firstPlan, nextPlan]) {
          const direction = /sort=(?!-)/.test(filter) ? '' : ' Backward';
          assert.match(
            plan,
            new RegExp(`Index Scan${direction} using ${index} on ${table}\\b`),
            plan,
          );
          assert.doesNotMatch(
            plan,
            new RegExp(`(Seq|Bitmap Heap) Scan on ${table}\\b|Sort Key: ${table}`),
            plan,
          );
        }
        const bounds = new RegExp(`using ${index} on .*\\n\\s+Index Cond: (.*)`).exec(
          nextPlan,
        )?.[1];
        assert.match(
          bounds ?? '',
          /ROW\((?:created_at|[a-z]*_?amount_cents|[a-z_]*name_key|arrival_date), \(?id/,
          nextPlan,
        );
      });
    }

    for (const [filter, index] of Object.entries(found)) {
      test(`finds the rows of ${filter} with ${index}`, async () => {
        const plans = [];
        for (const statement of await statementsOf(`/${path}?${filter}`))
          plans.push(await planOf(statement));
        assert.match(plans[0]!, new RegExp(`Index Scan.* (on|using) ${index}\\b`), plans[0]);
        for (const plan of plans) {
          assert.doesNotMatch(plan, new RegExp(`Seq Scan on ${table}\\b`), plan);
        }
      });
    }

    if (found['q=zqrare']) {
      test('reads the matches of a frequent word in the order of the list', async () => {
        const [, page] = await statementsOf(`/${path}?q=example`);
        const plan = await planOf(page!);
        assert.match(plan, new RegExp(`Index Scan Backward using ${table}_list`), plan);
      });
    }
  });
}

/** Number of pages of the table and its indexes that a statement reads. */
async function countReadPages(path: string): Promise<number> {
  const { text, values } = await statementOf(path);
  const plan = textOf(await pool.query(`explain (analyze, buffers, timing off) ${text}`, values));
  const [, pages] = /Buffers: shared hit=(\d+)/.exec(plan) ?? assert.fail(plan);
  return Number(pages);
}

for (const period of [
  'created_to=2024-06-01T00:00:00Z',
  `sort=created_at&created_from=${daysAgo(180)}`,
]) {
  test(`the first page of ${period} starts at the bound of the period`, async () => {
    const withoutPeriod = await countReadPages('/donations?limit=25');
    const pages = await countReadPages(`/donations?limit=25&${period}`);
    // Twice as many, because the rows at the bound may be in more pages of the table. Without a start at the bound it
    // reads more than four times as many.
    assert.ok(pages <= withoutPeriod * 2, `${pages} pages, ${withoutPeriod} without a period`);
  });
}

test('GET /events?upcoming=true reads and sorts only events that start in the future', async () => {
  const plan = await planOf(await statementOf(`/events?${UPCOMING}`));
  assert.match(plan, /Index Cond: .*starts_at >= now\(\)/, plan);
  assert.doesNotMatch(plan, /Seq Scan on event\b/, plan);
});
