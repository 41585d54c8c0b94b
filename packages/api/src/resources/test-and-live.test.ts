import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DonationSeries, DonationSummary, List, PayoutSummary } from '@connect-embed/contract';
import { startApi } from '../../test-support/app/start-api.ts';
import { compareTotals, storeTotals } from '../db/donation-totals.ts';
import { createOrganization } from '../users/organizations.ts';
import { loadCampaignTotals, loadRaisedCents } from './catalogue/raised.ts';
import { loadDonorTotals } from './donor-totals.ts';

const { db, get, createKey } = await startApi();
const SCOPES = ['donations:read', 'donors:read', 'payouts:read', 'reference:read'] as const;

/** Creates an organization that has one live record and one test of each kind. */
async function organizationWithBoth(name: string) {
  const id = await createOrganization(db, { name, slug: name, currency: 'usd' });
  const own = { organization_id: id, currency: 'usd' };
  const campaign_id = `camp_${name}`;
  const contact_id = `dnr_${name}`;
  await db
    .insertInto('campaign')
    .values({ id: campaign_id, organization_id: id, slug: 'roof', name: 'Roof', is_active: true })
    .execute();
  await db
    .insertInto('donor')
    .values({ id: contact_id, organization_id: id, email: 'ana@example.org', source: 'api' })
    .execute();
  for (const livemode of [true, false]) {
    const suffix = `${name}_${livemode ? 'live' : 'test'}`;
    const amount = { ...own, livemode, amount_cents: livemode ? 1000 : 200 };
    const source = { source: 'api', source_id: 'key_1' } as const;
    await db
      .insertInto('donation')
      .values({ id: `don_${suffix}`, ...amount, ...source, campaign_id, contact_id })
      .execute();
    await db
      .insertInto('payout')
      .values({ id: `po_${suffix}`, ...amount, status: 'paid', arrival_date: new Date() })
      .execute();
    await db
      .insertInto('recurring_plan')
      .values({
        ...{ id: `plan_${suffix}`, ...amount, ...source, frequency: 'monthly', status: 'active' },
        ...{ amounts: '', processor_customer_id: 'cus_1', processor_subscription_id: suffix },
      })
      .execute();
    await db
      .insertInto('payment_intent')
      .values({ id: `pi_${suffix}`, ...amount, ...source, status: 'processing' })
      .execute();
  }
  const { token } = await createKey([...SCOPES], id);
  const read = async <Body>(path: string) => {
    const response = await get(path, token);
    assert.equal(response.status, 200, path);
    return (await response.json()) as Body;
  };
  const kindsOf = async (path: string, query = '') => {
    const { data } = await read<List<{ id: string; livemode: boolean }>>(`${path}?${query}`);
    for (const { id: resource, livemode } of data)
      assert.equal(livemode, resource.endsWith('_live'));
    return data.map(({ livemode }) => (livemode ? 'live' : 'test')).sort();
  };
  const goLive = () =>
    db.updateTable('organization').set({ live_since: new Date() }).where('id', '=', id).execute();
  return { id, campaign_id, contact_id, read, kindsOf, goLive };
}

type Organization = Awaited<ReturnType<typeof organizationWithBoth>>;

const LISTS = [
  ['/donations', ''],
  ['/payouts', ''],
  ['/recurring-plans', ''],
  ['/payment-intents', 'status=processing'],
] as const;

/** Reads every sum of the organization, which is the same in all places. */
async function sumsOf({ id, campaign_id, contact_id, read }: Organization, query = '') {
  const { data: sums } = await read<DonationSummary>(`/donations/summary?${query}`);
  const filtered = await read<DonationSummary>(`/donations/summary?recurring=false&${query}`);
  const series = await read<DonationSeries>(`/donations/series?${query}`);
  const payouts = await read<PayoutSummary>(`/payouts/summary?${query}`);
  const all = [
    sums[0]?.gross_cents,
    sums[0]?.processing_amount_cents,
    filtered.data[0]?.gross_cents,
    series.data.flatMap((step) => step.sums).reduce((sum, step) => sum + step.gross_cents, 0),
    payouts.data[0]?.amount_cents,
  ];
  if (query) return [...new Set(all)];
  const raised = await loadRaisedCents(db, id, [campaign_id]);
  const donors = await loadDonorTotals(db, id, [contact_id]);
  const progress = await read<{ raised_cents: number }>(`/campaigns/${campaign_id}/progress`);
  const campaign = await loadCampaignTotals(db, id, campaign_id);
  all.push(raised.get(campaign_id), donors.get(contact_id)?.[0]?.gross_cents);
  all.push(progress.raised_cents, campaign.raised_cents);
  return [...new Set(all)];
}

async function exportedKinds({ read: _, ...organization }: Organization, path: string, query = '') {
  const { token } = await createKey([...SCOPES], organization.id);
  const text = await (await get(`${path}/export.csv?${query}`, token)).text();
  const [head, ...lines] = text.trim().split('\r\n');
  assert.equal(head!.split(',').at(-1), 'Livemode');
  return lines.map((line) => line.split(',').at(-1)).sort();
}

describe('as long as an organization has never been live', () => {
  test('its tests are in every list, sum and export', async () => {
    const organization = await organizationWithBoth('seedling');
    for (const [path, query] of LISTS)
      assert.deepEqual(await organization.kindsOf(path, query), ['live', 'test'], path);
    assert.deepEqual(await sumsOf(organization), [1200]);
    for (const path of ['/donations', '/payouts'])
      assert.deepEqual(await exportedKinds(organization, path), ['no', 'yes']);
  });
});

describe('from the moment an organization is live', () => {
  test('its tests are in no list, sum and export, and are found by filter and id', async () => {
    const organization = await organizationWithBoth('orchard');
    await organization.goLive();
    for (const [path, query] of LISTS) {
      assert.deepEqual(await organization.kindsOf(path, query), ['live'], path);
      const only = (mode: boolean) => organization.kindsOf(path, `${query}&livemode=${mode}`);
      assert.deepEqual([await only(true), await only(false)], [['live'], ['test']], path);
    }
    assert.deepEqual(await sumsOf(organization), [1000]);
    assert.deepEqual(await sumsOf(organization, 'livemode=true'), [1000]);
    assert.deepEqual(await sumsOf(organization, 'livemode=false'), [200]);
    for (const path of ['/donations', '/payouts']) {
      assert.deepEqual(await exportedKinds(organization, path), ['yes']);
      assert.deepEqual(await exportedKinds(organization, path, 'livemode=false'), ['no']);
    }
    const byId = await organization.read<{ livemode: boolean }>('/donations/don_orchard_test');
    assert.equal(byId.livemode, false);
  });

  test('stored totals agree with the donations of both kinds', async () => {
    const organization = await organizationWithBoth('meadow');
    await organization.goLive();
    await storeTotals(db);
    const compare = { from: new Date(0), repair: false };
    assert.deepEqual(await compareTotals(db, organization.id, compare), []);
    assert.deepEqual(await sumsOf(organization), [1000]);
    assert.deepEqual(await sumsOf(organization, 'livemode=false'), [200]);
    await db
      .updateTable('donation_total')
      .set(({ eb }) => ({ raised_cents: eb('raised_cents', '+', 5) }))
      .where('organization_id', '=', organization.id)
      .where('livemode', '=', false)
      .execute();
    const differences = await compareTotals(db, organization.id, { ...compare, repair: true });
    assert.deepEqual(new Set(differences.map(({ livemode }) => livemode)), new Set([false]));
    assert.deepEqual(await compareTotals(db, organization.id, compare), []);
  });
});
