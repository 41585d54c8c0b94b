import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import {
  attributesOf,
  definitionsOf,
  textsOf,
} from '@connect-embed/api/test-support/browser/read-document';
import { DEMO_PEOPLE } from '@connect-embed/api/users/demo-people';

const { db, visitor } = await startApi();
const [OWNER] = DEMO_PEOPLE.map(({ email }) => email) as [string];
const ORGANIZATION = 'org_lantern';
const HOME = `/dashboard/${ORGANIZATION}`;

for (const table of ['balance_transaction', 'donation', 'recurring_plan'] as const)
  await db.deleteFrom(table).where('organization_id', '=', ORGANIZATION).execute();
const own = { organization_id: ORGANIZATION, currency: 'usd', source: 'api' } as const;
await db
  .insertInto('campaign')
  .values({
    id: 'camp_gala',
    organization_id: ORGANIZATION,
    slug: 'gala',
    name: 'Gala',
    is_active: true,
  })
  .execute();
for (const livemode of [true, false]) {
  const name = livemode ? 'Lena Live' : 'Tom Test';
  await db
    .insertInto('donation')
    .values({
      ...{ id: `don_${livemode}`, ...own, livemode, amount_cents: livemode ? 5000 : 700 },
      ...{ donor_name: name, reference: livemode ? 'K7QM-4XTZ' : 'M3TD-8RWY' },
      ...{ form_name: livemode ? 'Gala' : 'Dress rehearsal', campaign_id: 'camp_gala' },
    })
    .execute();
  await db
    .insertInto('balance_transaction')
    .values({
      ...{ id: `btx_${livemode}`, organization_id: ORGANIZATION, donation_id: `don_${livemode}` },
      ...{ reporting_category: 'charge', amount_cents: 1000, fee_cents: 0, currency: 'usd' },
    })
    .execute();
  await db
    .insertInto('recurring_plan')
    .values({
      ...{ id: `plan_${livemode}`, ...own, livemode, amount_cents: 1000, donor_name: name },
      ...{ frequency: 'monthly', status: 'active', amounts: '', processor_customer_id: 'cus_1' },
      processor_subscription_id: `sub_${livemode}`,
    })
    .execute();
}
const setLive = (live_since: Date | null) =>
  db.updateTable('organization').set({ live_since }).where('id', '=', ORGANIZATION).execute();

async function open(path: string) {
  const person = visitor();
  return await person.openAs(OWNER, `${HOME}${path}`);
}
const namesIn = async (path: string) => {
  const { document } = await open(path);
  return textsOf(document, 'tbody th').sort();
};
const badgesIn = async (path: string) =>
  textsOf((await open(path)).document, '.badge').filter((text) => text === 'Test');
const formsInFile = async () =>
  attributesOf((await open('/donations')).document, 'select[name="form"] option', 'value').filter(
    (id) => id.startsWith('name:'),
  );
const grossOf = async (path: string) =>
  new Map(definitionsOf((await open(path)).document)).get('Gross');

test('before the organization is live, its tests are in lists and totals and say so', async () => {
  await setLive(null);
  for (const path of ['/donations', '/plans', '/campaigns/camp_gala']) {
    assert.deepEqual(await namesIn(path), ['Lena Live', 'Tom Test']);
    assert.deepEqual(await badgesIn(path), ['Test']);
    assert.doesNotMatch((await open(path)).text, /Test donations/);
  }
  assert.equal(await grossOf('/donations'), '$57.00');
  const unpaid = ['Donation: Lena Live', 'Donation: Tom Test'];
  assert.deepEqual(await namesIn('/payouts/unpaid'), unpaid);
  assert.match((await open('/payouts/unpaid/export.csv')).text, /Tom Test/);
  assert.deepEqual(await formsInFile(), ['name:Dress rehearsal', 'name:Gala']);
});

test('when the organization is live, only a filter, the search and links find its tests', async () => {
  await setLive(new Date());
  for (const path of ['/donations', '/plans']) {
    assert.deepEqual(await namesIn(path), ['Lena Live']);
    assert.match((await open(path)).text, /Test donations/);
    assert.deepEqual(await namesIn(`${path}?mode=test`), ['Tom Test']);
    assert.deepEqual(await badgesIn(`${path}?mode=test`), ['Test']);
  }
  assert.deepEqual(await namesIn('/campaigns/camp_gala'), ['Lena Live']);
  assert.equal(await grossOf('/donations'), '$50.00');
  assert.deepEqual(await formsInFile(), ['name:Gala']);
  assert.deepEqual(await namesIn('/payouts/unpaid'), ['Donation: Lena Live']);
  assert.doesNotMatch((await open('/payouts/unpaid/export.csv')).text, /Tom Test/);
  assert.equal(await grossOf('/donations?mode=test'), '$7.00');
  assert.deepEqual(await badgesIn('/donations/don_false'), ['Test']);
  assert.deepEqual(await badgesIn('/plans/plan_false'), ['Test']);
  const person = visitor();
  const page = await person.openAs(OWNER, HOME);
  assert.doesNotMatch(page.text, /\$57\.00/);
  const found = await person.send(page, `${HOME}/search`, { q: 'M3TD-8RWY' });
  assert.deepEqual(textsOf(found.document, 'tbody th'), ['Tom Test']);
});
