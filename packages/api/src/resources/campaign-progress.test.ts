import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ALL_SCOPES, CampaignProgress, type EmbedSession } from '@connect-embed/contract';
import { CompiledQuery } from 'kysely';
import { ACCOUNT, startManualEventsSandbox } from '../../test-support/app/manual-events-sandbox.ts';
import { readError } from '../../test-support/app/start-api.ts';
import { refundDonation } from '../payments/refund-donation.ts';
import { heldScopes } from '../users/membership.ts';

const sandboxApi = await startManualEventsSandbox();
const { get, post, createKey, db, deps } = sandboxApi;
const { token } = await createKey(['reference:read']);

async function readProgress(id = 'camp_winter') {
  const response = await get(`/campaigns/${id}/progress`, token);
  assert.equal(response.status, 200);
  return CampaignProgress.strict().parse(await response.json());
}

const readRaisedCents = async () => (await readProgress()).raised_cents;

/** Inserts a donation to the campaign. */
async function record(change: object = {}) {
  const id = `don_${crypto.randomUUID()}`;
  const donation = {
    id,
    organization_id: 'org_harbor',
    campaign_id: 'camp_winter',
    currency: 'usd',
  };
  await db
    .insertInto('donation')
    .values({ ...donation, amount_cents: 2500, source: 'api', ...change })
    .execute();
  const update = (change: { refunded_amount_cents?: number; disputed_amount_cents?: number }) =>
    db.updateTable('donation').set(change).where('id', '=', id).execute();
  return { update };
}

const OWNER = {
  organizationId: 'org_harbor',
  organizationName: 'Harbor Street Food Bank',
  timeZone: 'UTC',
  role: 'owner' as const,
  permissions: heldScopes('owner', ALL_SCOPES),
  personId: 'usr_1',
};

describe('GET /campaigns/{id}/progress', () => {
  test('returns the sum, the goal and the currency, and no data of donors', async () => {
    const rows = await db
      .selectFrom('donation')
      .select(['amount_cents', 'refunded_amount_cents', 'disputed_amount_cents'])
      .where('campaign_id', '=', 'camp_winter')
      .execute();
    const sum = rows.reduce(
      (all, row) => all + row.amount_cents - row.refunded_amount_cents - row.disputed_amount_cents,
      0,
    );
    assert.ok(sum > 0, 'the demo data has some');
    const { name, goal_cents } = await db
      .selectFrom('campaign')
      .selectAll()
      .where('id', '=', 'camp_winter')
      .executeTakeFirstOrThrow();
    assert.deepEqual(await readProgress(), {
      object: 'campaign_progress',
      campaign_id: 'camp_winter',
      name,
      currency: 'usd',
      goal_cents,
      raised_cents: sum,
    });
  });

  test('includes every payment of a recurring plan', async () => {
    const raisedBefore = await readRaisedCents();
    await record();
    await record({ recurring: true });
    await record({ recurring: true });
    assert.equal(await readRaisedCents(), raisedBefore + 7500);
  });

  test('changes with a paid donation, its refund and its dispute, as soon as Stripe reports them', async () => {
    const { id: embed_session_id } = (await (
      await post('/embed-sessions', sandboxApi.token, { campaign_id: 'camp_winter' })
    ).json()) as EmbedSession;
    const raisedBefore = await readRaisedCents();
    const intent = await sandboxApi.payDonation({ embed_session_id });
    await sandboxApi.deliverEventsOf(intent);
    assert.equal(await readRaisedCents(), raisedBefore + 2000);

    await refundDonation(deps, OWNER, {
      donationId: (await sandboxApi.donationOf(intent)).id,
      amountCents: 500,
      reason: 'requested_by_customer',
      note: null,
      refundedBeforeCents: 0,
    });
    assert.equal(await readRaisedCents(), raisedBefore + 1500);

    const disputed = await sandboxApi.payDonation({ embed_session_id });
    const { latest_charge: charge } = await sandboxApi.stripe.paymentIntents.retrieve(
      disputed,
      {},
      ACCOUNT,
    );
    const { id: dispute } = await sandboxApi.sandbox('/disputes', { charge });
    await sandboxApi.sandbox('/disputes/close', { dispute, outcome: 'lost' });
    await sandboxApi.deliverEventsOf(disputed);
    assert.equal((await sandboxApi.donationOf(disputed)).dispute_status, 'lost');
    assert.equal(await readRaisedCents(), raisedBefore + 1500);
  });

  test('subtracts partial and full refunds at once', async () => {
    const { update } = await record();
    const raisedBefore = await readRaisedCents();
    await update({ refunded_amount_cents: 1000 });
    assert.equal(await readRaisedCents(), raisedBefore - 1000);
    await update({ refunded_amount_cents: 2500 });
    assert.equal(await readRaisedCents(), raisedBefore - 2500);
  });

  test('subtracts a disputed amount once, and adds it again when the dispute is won', async () => {
    const { update } = await record();
    const raisedBefore = await readRaisedCents();
    await update({ disputed_amount_cents: 2500 });
    assert.equal(await readRaisedCents(), raisedBefore - 2500);
    await update({ refunded_amount_cents: 2500 });
    assert.equal(await readRaisedCents(), raisedBefore - 2500);
    await update({ refunded_amount_cents: 0, disputed_amount_cents: 0 });
    assert.equal(await readRaisedCents(), raisedBefore);
  });

  test('excludes donations in another currency', async () => {
    const raisedBefore = await readRaisedCents();
    await record({ currency: 'eur' });
    assert.equal(await readRaisedCents(), raisedBefore);
  });

  test('is zero before the first donation', async () => {
    await db
      .insertInto('campaign')
      .values({
        id: 'camp_new',
        organization_id: 'org_harbor',
        slug: 'new',
        name: 'New',
        is_active: true,
      })
      .execute();
    const { goal_cents, raised_cents } = await readProgress('camp_new');
    assert.deepEqual([goal_cents, raised_cents], [null, 0]);
  });

  for (const id of ['camp_none', 'x', '%00']) {
    test(`responds 404 to ${id}`, async () => {
      assert.match(await readError(await get(`/campaigns/${id}/progress`, token)), /^404 /);
    });
  }

  test("responds 404 to another organization's campaign", async () => {
    await db
      .insertInto('campaign')
      .values({
        id: 'camp_lantern',
        organization_id: 'org_lantern',
        slug: 'lamps',
        name: 'Lamps',
        is_active: true,
      })
      .execute();
    const response = await get('/campaigns/camp_lantern/progress', token);
    assert.match(await readError(response), /^404 not_found /);
  });

  test('is summed with an index-only scan', async () => {
    await db.executeQuery(CompiledQuery.raw('vacuum analyze donation'));
    const { rows } = await db.transaction().execute(async (tx) => {
      await tx.executeQuery(
        CompiledQuery.raw('set local enable_seqscan = off; set local enable_bitmapscan = off'),
      );
      return await tx.executeQuery<{ 'QUERY PLAN': string }>(
        CompiledQuery.raw(`explain select sum(remaining_amount_cents)
          from donation where campaign_id = 'camp_winter' and currency = 'usd'`),
      );
    });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, /Index Only Scan using donation_of_campaign/);
  });
});
