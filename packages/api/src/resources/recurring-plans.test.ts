import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RecurringPlan, type List } from '@connect-embed/contract';
import { subscriptionHelpers } from '../../test-support/donations/subscriptions.ts';
import { readError, startApi } from '../../test-support/app/start-api.ts';

const api = await startApi({ sandbox: true });
const { get, createKey } = api;
const { createActive } = subscriptionHelpers(api);
const { token } = await createKey();

const page = async (path: string) => (await (await get(path, token)).json()) as List<RecurringPlan>;

describe('GET /recurring-plans', () => {
  test('lists recurring plans page by page, newest first', async () => {
    const recurringPlan = await createActive({ fund_id: 'fund_meals', frequency: 'yearly' });
    const first = await page('/recurring-plans?limit=5');
    assert.equal(first.has_more, true);
    const newest = RecurringPlan.strict().parse(first.data[0]);
    assert.partialDeepStrictEqual(newest, {
      id: recurringPlan.id,
      amount_cents: 2500,
      frequency: 'yearly',
      status: 'active',
      donor_email: recurringPlan.email,
      fund_id: 'fund_meals',
      canceled_at: null,
    });
    const ids = first.data.map(({ id }) => id);
    let { next_cursor } = first;
    while (next_cursor) {
      const next = await page(`/recurring-plans?limit=5&cursor=${next_cursor}`);
      ids.push(...next.data.map(({ id }) => id));
      next_cursor = next.next_cursor;
    }
    assert.equal(new Set(ids).size, ids.length);
    const all = await page('/recurring-plans?limit=100');
    assert.deepEqual(
      ids,
      all.data.map(({ id }) => id),
    );
    assert.deepEqual(new Set(all.data.map(({ status }) => status)).size, 3);
    all.data.forEach((each) => RecurringPlan.strict().parse(each));
  });

  test('returns a plan by id, and 404 to another organization', async () => {
    const { data } = await page('/recurring-plans?limit=1');
    const [recurringPlan] = data;
    const path = `/recurring-plans/${recurringPlan!.id}`;
    assert.deepEqual(await (await get(path, token)).json(), recurringPlan);
    const other = await createKey(undefined, 'org_lantern');
    const foreign = await get(path, other.token);
    assert.match(await readError(foreign), /^404 not_found No recurring_plan /);
    assert.equal((await get('/recurring-plans/plan_none', token)).status, 404);
  });
});
