import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readRows } from '@connect-embed/api/test-support/browser/read-document';
import { subscriptionHelpers } from '@connect-embed/api/test-support/donations/subscriptions';
import {
  ADMIN,
  OWNER,
  startOauth,
  VOLUNTEER,
} from '@connect-embed/api/test-support/app/start-oauth';

const { api, visitor } = await startOauth({ sandbox: true });
const { createActive, rowOf, mailsOf } = subscriptionHelpers(api);
const PLANS = '/dashboard/org_harbor/plans';

describe('Recurring donations', () => {
  test('are listed, shown and canceled after a confirmation', async () => {
    const recurringPlan = await createActive({
      fund_id: 'fund_meals',
      donor_name: 'Ida <b> Wells',
    });
    const person = visitor();
    const list = await person.openAs(OWNER, PLANS);
    assert.ok(list.text.includes('Ida &lt;b&gt; Wells'));
    const path = `${PLANS}/${recurringPlan.id}`;
    const page = await person.open(path);
    for (const part of ['$25.00', 'Monthly', 'Weekend meals for children', 'Visa •••• 4242']) {
      assert.ok(page.text.includes(part), part);
    }
    assert.match((await person.open(`${path}/cancel`)).text, /will not be charged\s+again/);
    assert.equal((await rowOf(recurringPlan.email))?.status, 'active');
    const after = await person.post(`${path}/cancel`, {});
    assert.match(after.text, /Recurring donation ended/);
    assert.equal((await rowOf(recurringPlan.email))?.status, 'canceled');
    assert.deepEqual(await mailsOf(recurringPlan.id), ['receipt', 'plan_canceled']);
  });

  test('show the status of each payment, also that of a dispute', async () => {
    const recurringPlan = await createActive();
    await api.pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source, plan_id, recurring,
         refund_status, refunded_amount_cents, dispute_status, created_at) values
       ('don_plan_refunded', 'org_harbor', 2500, 'usd', 'embed', $1, true, 'partial', 1000, 'none', '2026-03-03T12:00:00Z'),
       ('don_plan_disputed', 'org_harbor', 2500, 'usd', 'embed', $1, true, 'partial', 1000, 'open', '2026-02-03T12:00:00Z'),
       ('don_plan_lost', 'org_harbor', 2500, 'usd', 'embed', $1, true, 'none', 0, 'lost', '2026-01-03T12:00:00Z')`,
      [recurringPlan.id],
    );
    const person = visitor();
    const page = await person.openAs(OWNER, `${PLANS}/${recurringPlan.id}`);
    const [columns, ...payments] = readRows(page.document);
    assert.deepEqual(columns, ['Date', 'Status', 'Amount']);
    assert.deepEqual(
      payments.map(([, status]) => status),
      ['Test', 'Partly refunded', 'Disputed', 'Dispute lost'],
    );
  });

  test('manage links in earlier emails are invalidated', async () => {
    const recurringPlan = await createActive();
    const person = visitor();
    await person.openAs(ADMIN, PLANS);
    await person.post(`${PLANS}/${recurringPlan.id}/end-links`, {});
    assert.equal((await rowOf(recurringPlan.email))?.link_epoch, 1);
  });

  test('are not accessible to plain members or another organization', async () => {
    const recurringPlan = await createActive();
    const member = visitor();
    assert.equal((await member.openAs(VOLUNTEER, PLANS)).status, 403);
    assert.equal((await member.post(`${PLANS}/${recurringPlan.id}/cancel`, {})).status, 403);
    const owner = visitor();
    const path = `/dashboard/org_lantern/plans/${recurringPlan.id}`;
    assert.equal((await owner.openAs(OWNER, path)).status, 404);
    assert.equal((await owner.post(`${path}/cancel`, {})).status, 404);
    assert.equal((await rowOf(recurringPlan.email))?.status, 'active');
  });
});
