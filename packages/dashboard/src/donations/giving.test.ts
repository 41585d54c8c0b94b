import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import type { PageResponse } from '@connect-embed/api/test-support/browser/visitor';
import { attributesOf, definitionsOf } from '@connect-embed/api/test-support/browser/read-document';
import { DEMO_PEOPLE } from '@connect-embed/api/users/demo-people';

const api = await startApi();
const { visitor } = api;
const [OWNER, ADMIN, VOLUNTEER] = DEMO_PEOPLE.map(({ email }) => email) as [string, string, string];
const HOME = '/dashboard/org_harbor';

async function openAs(email: string, path = HOME) {
  const person = visitor();
  return { person, page: await person.openAs(email, path) };
}

const linksIn = ({ document }: PageResponse, path: string) =>
  attributesOf(document, `[href^="${path}/"]`, 'href').filter((href) =>
    /^[a-z]+_\w+$/.test(href.slice(path.length + 1)),
  );

const one = async <Row>(sql: string, values: unknown[] = []) =>
  (await api.pool.query<Row & object>(sql, values)).rows[0] as Row;

describe('the home page', () => {
  test('shows the totals of this month and the newest donations', async () => {
    const { count } = await one<{ count: string }>(
      `select count(*) from donation join organization on organization.id = organization_id
       where organization_id = 'org_harbor' and donation.currency = organization.currency
         and donation.created_at >= date_trunc('month', now() at time zone time_zone) at time zone time_zone`,
    );
    const { page } = await openAs(OWNER);
    assert.ok(
      definitionsOf(page.document).some(
        ([term, text]) => term === 'Donations' && text === String(count),
      ),
    );
    assert.equal(linksIn(page, `${HOME}/donations`).length, 10);
  });

  test('shows no totals and no donors to a member without donations:read', async () => {
    const { page } = await openAs(VOLUNTEER);
    assert.equal(page.status, 200);
    assert.match(page.text, /You are a member of Harbor Street Food Bank/);
    assert.doesNotMatch(page.text, /\$\d/);
    assert.ok(!page.text.includes(`${HOME}/donations`));
  });

  test('shows empty states when there are no donations', async () => {
    await api.pool.query(
      `insert into organization (id, name, slug, currency) values ('org_new', 'New', 'new', 'usd')`,
    );
    await api.pool.query(
      `insert into membership (organization_id, person_id, role) select 'org_new', id, 'owner' from person where email = $1`,
      [OWNER],
    );
    const { person, page } = await openAs(OWNER, '/dashboard/org_new');
    assert.match(page.text, /No donations yet/);
    for (const path of ['donations', 'donors', 'payouts']) {
      assert.ok((await person.open(`/dashboard/org_new/${path}`)).document.querySelector('.empty'));
    }
  });
});

describe('the lists', () => {
  for (const [path, table] of [
    ['donations', 'donation'],
    ['donors', 'donor'],
    ['payouts', 'payout'],
  ] as const) {
    test(`${path}: pagination returns every row once`, async () => {
      const { person, page } = await openAs(OWNER, `${HOME}/${path}`);
      const links = linksIn(page, `${HOME}/${path}`);
      for (let at = page; ;) {
        const next = at.document.querySelector('a[rel="next"]')?.getAttribute('href');
        if (!next) break;
        at = await person.open(next.replaceAll('&amp;', '&'));
        links.push(...linksIn(at, `${HOME}/${path}`));
      }
      const { count } = await one<{ count: string }>(
        `select count(*) from ${table} where organization_id = 'org_harbor'`,
      );
      assert.equal(links.length, Number(count));
      assert.equal(new Set(links).size, links.length);
    });
  }

  test('an invalid cursor shows an error page', async () => {
    const { person } = await openAs(OWNER);
    const page = await person.open(`${HOME}/donations?cursor=nonsense`);
    assert.equal(page.status, 400);
    assert.match(page.text, /must be a next_cursor/);
  });

  test('require the permission of the resource', async () => {
    const { person } = await openAs(ADMIN);
    assert.equal((await person.open(`${HOME}/donations`)).status, 200);
    const page = await person.open(`${HOME}/payouts`);
    assert.equal(page.status, 403);
    assert.match(page.text, /do not have the required permission/);
    const { person: volunteer } = await openAs(VOLUNTEER);
    for (const path of ['donations', 'donors', 'payouts', 'webhooks', 'team', 'api-keys']) {
      assert.equal((await volunteer.open(`${HOME}/${path}`)).status, 403, path);
    }
  });
});

describe('one payout', () => {
  test('of a donation in another currency is shown in the currency of the balance', async () => {
    const { id } = await one<{ id: string }>(
      `update donation set currency = 'eur', amount_cents = 5000, fee_cents = null,
         settlement_currency = 'usd', settlement_amount_cents = 5500, settlement_fee_cents = 190
       where id = (select id from donation where organization_id = 'org_harbor' and payout_id is null
           and refund_status = 'none' and dispute_status = 'none' limit 1) returning id`,
    );
    await api.pool.query(
      `insert into balance_transaction (id, organization_id, payout_id, processor_transaction_id,
         donation_id, reporting_category, amount_cents, fee_cents, currency)
       select 'btx_eur', 'org_harbor', id, 'txn_eur', $1, 'charge', 5500, 190, 'usd'
       from payout where organization_id = 'org_harbor' limit 1`,
      [id],
    );
    const { page } = await openAs(OWNER, `${HOME}/donations/${id}`);
    const row = page.document.querySelector('[aria-label="Payouts"] tbody tr');
    assert.equal(row?.lastElementChild?.textContent.trim(), '$55.00');
  });

  test('shows donor names only to members with donations:read', async () => {
    const { id } = await one<{ id: string }>(
      `select id from payout where organization_id = 'org_harbor' limit 1`,
    );
    await api.pool.query(
      `update donation set processor_payment_intent_id = 'pi_paid_out', donor_name = 'Zora Quill'
       where id = (select id from donation where organization_id = 'org_harbor' limit 1)`,
    );
    await api.pool.query(
      `insert into balance_transaction (id, organization_id, payout_id, processor_transaction_id,
         processor_payment_intent_id, reporting_category, amount_cents, fee_cents, currency)
       values ('btx_1', 'org_harbor', $1, 'txn_1', 'pi_paid_out', 'charge', 100, 3, 'usd')`,
      [id],
    );
    const path = `${HOME}/payouts/${id}`;
    const { page: payoutPage, person } = await openAs(OWNER, path);
    assert.match(payoutPage.text, /Donation: Zora Quill/);
    // The donation's page says whether the payout has arrived.
    await api.pool.query(`update payout set status = 'in_transit' where id = $1`, [id]);
    const [donation] = attributesOf(payoutPage.document, 'a[href*="/donations/"]', 'href');
    const { document } = await person.open(donation!);
    const heading = [...document.querySelectorAll('h2')].find(
      ({ textContent }) => textContent === 'Payouts',
    );
    assert.match(heading!.parentElement!.textContent, /In transit/);
    await api.pool.query(
      `update membership set permissions = '{payouts:read}' where organization_id = 'org_harbor'
       and person_id = (select id from person where email = $1)`,
      [ADMIN],
    );
    const { page } = await openAs(ADMIN, path);
    assert.equal(page.status, 200);
    assert.match(page.text, /\$0\.03/);
    assert.doesNotMatch(page.text, /Zora|\/donations\//);
  });
});

describe('one donation', () => {
  test('shows the payment with its Stripe id, its refunds and its disputes', async () => {
    const { id } = await one<{ id: string }>(
      `select id from donation where organization_id = 'org_harbor' and contact_id is not null limit 1`,
    );
    await api.pool.query(
      `update donation set processor_payment_intent_id = 'pi_shown' where id = $1`,
      [id],
    );
    await api.pool.query(
      `insert into payment_intent (id, organization_id, amount_cents, currency, status, failure_message, source, source_id)
       values ('pi_shown', 'org_harbor', 100, 'usd', 'succeeded', 'Your card was declined.', 'api', 'key_x')`,
    );
    await api.pool.query(
      `insert into refund (id, organization_id, donation_id, processor_refund_id, amount_cents, status, reason)
       values ('ref_1', 'org_harbor', $1, 're_shown', 100, 'succeeded', 'duplicate')`,
      [id],
    );
    await api.pool.query(
      `insert into donation_dispute (id, organization_id, donation_id, processor_dispute_id, amount_cents, status, reason)
       values ('dsp_1', 'org_harbor', $1, 'dp_shown', 100, 'open', 'fraudulent')`,
      [id],
    );
    const { person } = await openAs(OWNER);
    const page = await person.open(`${HOME}/donations/${id}`);
    for (const text of [
      'pi_shown',
      're_shown',
      'dp_shown',
      'Your card was declined.',
      'Duplicate',
      id,
    ]) {
      assert.ok(page.text.includes(text), text);
    }
    const [donor] = linksIn(page, `${HOME}/donors`);
    const donorPage = await person.open(donor ?? '');
    assert.ok(donorPage.text.includes(`${HOME}/donations/${id}`));
  });

  test('names the API key that created it, but not a key of another organization', async () => {
    const [ownKey, foreign] = [await api.createKey(), await api.createKey([], 'org_lantern')];
    const { id } = await one<{ id: string }>(
      `select id from donation where organization_id = 'org_harbor' limit 1`,
    );
    const { person } = await openAs(OWNER);
    for (const [key, name] of [
      [ownKey, 'Our own'],
      [foreign, 'Not to be seen'],
    ] as const) {
      await api.pool.query('update api_key set name = $2 where id = $1', [key.id, name]);
      await api.pool.query('update donation set source_id = $2 where id = $1', [id, key.id]);
      const { text } = await person.open(`${HOME}/donations/${id}`);
      assert.equal(text.includes(`API key ${name}`), key === ownKey);
    }
  });

  test('a donation, donor or payout of another organization is not found', async () => {
    const { person } = await openAs(OWNER);
    for (const [path, table] of [
      ['donations', 'donation'],
      ['donors', 'donor'],
      ['payouts', 'payout'],
    ]) {
      const row = await one<{ id: string } | undefined>(
        `select id from ${table} where organization_id = 'org_lantern' limit 1`,
      );
      if (!row) continue;
      assert.equal((await person.open(`${HOME}/${path}/${row.id}`)).status, 404, path);
      assert.equal((await person.open(`${HOME}/${path}/%00`)).status, 404);
    }
  });
});
