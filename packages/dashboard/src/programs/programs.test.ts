import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Campaign, Fund, List } from '@connect-embed/contract';
import {
  ADMIN,
  OWNER,
  startOauth,
  VOLUNTEER,
} from '@connect-embed/api/test-support/app/start-oauth';
import { textOf } from '@connect-embed/api/test-support/browser/read-document';

const { api, visitor } = await startOauth();
const { token } = await api.createKey();
const HARBOR = '/dashboard/org_harbor';

async function read<Row extends { id: string; name: string }>(path: string, name: string) {
  const response = await api.get(`${path}?limit=100`, token);
  return ((await response.json()) as List<Row>).data.find((row) => row.name === name);
}
const readFund = (name: string) => read<Fund>('/funds', name);
const readCampaign = (name: string) => read<Campaign>('/campaigns', name);

async function owner() {
  const person = visitor();
  await person.openAs(OWNER, HARBOR);
  return person;
}

describe('Programs › Funds', () => {
  const list = `${HARBOR}/funds`;
  const fund = { name: 'Coats', type: 'restricted', goal: '$1,250.50', published: 'on' };

  test('the API returns a fund as it was entered', async () => {
    const person = await owner();
    const page = await person.open(`${list}/new`);
    const done = await person.send(page, list, { ...fund, description: 'Warm ones\r\nfor all' });
    assert.equal(done.status, 200);
    assert.match(textOf(done.document, '[role="status"]')!, /Fund created/);
    assert.partialDeepStrictEqual(await readFund('Coats'), {
      object: 'fund',
      description: 'Warm ones\nfor all',
      type: 'restricted',
      goal_cents: 125_050,
      published: true,
    });
  });

  test('a rejected form keeps the typed values and names the invalid field', async () => {
    const person = await owner();
    const invalidForm = { name: '', type: 'charity', goal: 'a lot', description: '<b>kept</b>' };
    const { status, text, document } = await person.post(list, invalidForm);
    assert.equal(status, 400);
    for (const place of [
      '[role="alert"]',
      '[name="goal"][value="a lot"][aria-describedby="goal-problem"][aria-invalid="true"]',
      '#name-problem',
      '#type-problem',
    ])
      assert.ok(document.querySelector(place), place);
    assert.match(textOf(document, '#goal-problem')!, /^Enter an amount such as 25\.00\./);
    assert.ok(text.includes('&lt;b&gt;kept&lt;/b&gt;'));
  });

  for (const [description, goal] of [
    ['zero', '0'],
    ['negative', '-5'],
    ['a fraction of a cent', '1.0055'],
    ['above the maximum', '99999999999999'],
  ] as const) {
    test(`a goal that is ${description} is rejected`, async () => {
      const { status, document } = await (await owner()).post(list, { ...fund, goal });
      assert.equal(status, 400);
      assert.ok(document.querySelector('#goal-problem'));
    });
  }

  test('a fund with donations is archived, and its donations keep its name', async () => {
    const person = await owner();
    const page = await person.open(`${list}/fund_kitchen`);
    assert.match(page.text, /cannot be deleted/);
    assert.doesNotMatch(page.text, /fund_kitchen\/delete/);
    const refused = await person.post(`${list}/fund_kitchen/delete`, {});
    assert.match(textOf(refused.document, '[role="alert"]')!, /Archive it instead/);

    await person.send(page, `${list}/fund_kitchen/archive`, {});
    assert.equal((await readFund('A new kitchen'))?.published, false);
    const donations = await api.get('/donations?limit=100', token);
    const { data } = (await donations.json()) as List<{ fund_id: string; fund_name: string }>;
    const donation = data.find(({ fund_id }) => fund_id === 'fund_kitchen');
    assert.equal(donation?.fund_name, 'A new kitchen');
  });

  test('an archived fund accepts no donations and no changes until it is restored', async () => {
    const person = await owner();
    await person.post(`${list}/fund_meals/archive`, {});
    const createPaymentIntent = async () =>
      await api.post('/embed-sessions', token, { fund_id: 'fund_meals' }).then((a) => a.status);
    assert.equal(await createPaymentIntent(), 400);
    const changed = await person.post(`${list}/fund_meals`, fund);
    assert.match(textOf(changed.document, '[role="alert"]')!, /Restore it/);
    assert.match((await person.open(`${list}?show=archived`)).text, /Weekend meals/);
    assert.doesNotMatch((await person.open(list)).text, /Weekend meals/);

    await person.post(`${list}/fund_meals/restore`, {});
    assert.equal(await createPaymentIntent(), 201);
    assert.equal((await readFund('Weekend meals for children'))?.published, false);
  });

  test('a fund without donations can be deleted', async () => {
    const person = await owner();
    await person.post(list, { ...fund, name: 'A mistake' });
    const { id } = (await readFund('A mistake'))!;
    const page = await person.open(`${list}/${id}/delete`);
    assert.match(page.text, /will be permanently deleted/);
    const done = await person.post(`${list}/${id}/delete`, {});
    assert.match(done.text, /Fund deleted/);
    assert.equal(await readFund('A mistake'), undefined);
  });

  test('members cannot change funds, and funds of another organization are not found', async () => {
    const member = visitor();
    await member.openAs(VOLUNTEER, HARBOR);
    const fundBefore = await readFund('Where it is needed most');
    for (const path of [list, `${list}/fund_general`, `${list}/fund_general/archive`]) {
      assert.equal((await member.post(path, fund)).status, 403, path);
    }
    assert.equal((await member.open(`${list}/new`)).status, 403);
    const page = await member.open(`${list}/fund_general`);
    assert.equal(page.status, 200);
    assert.equal(page.document.querySelector('form[action*="fund"]'), null);
    assert.deepEqual(await readFund('Where it is needed most'), fundBefore);

    const admin = visitor();
    await admin.openAs(ADMIN, HARBOR);
    for (const path of ['', '/archive', '/delete']) {
      assert.equal((await admin.post(`${list}/fund_lantern${path}`, fund)).status, 404);
    }
    assert.equal((await admin.open(`${list}/fund_lantern`)).status, 404);
    assert.equal((await admin.open(`${list}/%00`)).status, 404);
  });
});

describe('Programs › Campaigns', () => {
  const list = `${HARBOR}/campaigns`;
  const campaign = { name: 'Élan for Spring!', goal: '5,000', is_active: 'on' };

  test('the slug is derived from the name and is unique', async () => {
    const person = await owner();
    const dates = { start_date: '2027-03-01', end_date: '2027-05-31' };
    assert.equal((await person.post(list, { ...campaign, ...dates })).status, 200);
    assert.partialDeepStrictEqual(await readCampaign('Élan for Spring!'), {
      object: 'campaign',
      slug: 'elan-for-spring',
      goal_cents: 500_000,
      is_active: true,
      start_date: '2027-03-01T00:00:00.000Z',
      end_date: '2027-05-31T00:00:00.000Z',
    });
    const second = await person.post(list, campaign);
    assert.equal(second.status, 400);
    assert.match(textOf(second.document, '#slug-problem')!, /^Is taken by another campaign/);
    assert.equal((await person.post(list, { ...campaign, slug: 'again' })).status, 200);
  });

  for (const [field, value] of [
    ['slug', 'Not A Slug'],
    ['start_date', '2027-02-30'],
    ['end_date', '2020-01-01'],
  ] as const) {
    test(`${field} "${value}" is rejected`, async () => {
      const fields = { ...campaign, start_date: '2027-03-01', slug: '', [field]: value };
      const { status, document } = await (await owner()).post(list, fields);
      assert.equal(status, 400);
      assert.ok(document.querySelector(`#${field}-problem`));
    });
  }

  test('can be updated, and archived when donations reference it', async () => {
    const person = await owner();
    const page = await person.open(`${list}/camp_harvest`);
    const path = `${list}/camp_harvest`;
    await person.send(page, path, { ...campaign, name: 'Harvest', slug: 'harvest', goal: '' });
    assert.partialDeepStrictEqual(await readCampaign('Harvest'), {
      slug: 'harvest',
      goal_cents: null,
    });
    await person.post(`${path}/archive`, {});
    assert.equal((await readCampaign('Harvest'))?.is_active, false);
  });
});
