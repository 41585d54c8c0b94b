import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import {
  ADMIN,
  OWNER,
  startOauth,
  VOLUNTEER,
  type PageResponse,
} from '@connect-embed/api/test-support/app/start-oauth';
import { attributesOf, textsOf } from '@connect-embed/api/test-support/browser/read-document';

const { api, visitor } = await startOauth();
const { pool } = api;
const SEARCH = '/dashboard/org_harbor/search';

before(async () => {
  await pool.query(
    `insert into donor (id, organization_id, email, first_name, last_name, source) values
     ('dnr_zq', 'org_harbor', 'zelda.quist@example.org', 'Zelda', 'Quist', 'api'),
     ('dnr_zl', 'org_lantern', 'zelda.quist@example.org', 'Zelda', 'Quist', 'api')`,
  );
  await pool.query(
    `insert into donation (id, organization_id, reference, amount_cents, currency, source,
       donor_name, donor_email, contact_id) values
     ('don_zq', 'org_harbor', 'K7QM-4XTZ', 123457, 'usd', 'api', 'Zelda Quist', 'zelda.quist@example.org', 'dnr_zq'),
     ('don_zl', 'org_lantern', 'K7QM-4XTZ', 123457, 'usd', 'api', 'Zelda Quist', 'zelda.quist@example.org', 'dnr_zl')`,
  );
});

async function searched(q: string, email: string = OWNER) {
  const person = visitor();
  await person.openAs(email, '/dashboard/org_harbor');
  return await person.post(SEARCH, { q });
}

describe('the search of the dashboard', () => {
  for (const q of [
    'K7QM-4XTZ',
    'k7qm4xtz',
    'Zelda Quist',
    'zelda.quist@example.org',
    'don_zq',
    '$1,234.57',
  ]) {
    test(`finds a donation by ${q}, and none of another organization`, async () => {
      const { text, document, url, status } = await searched(q);
      assert.equal(status, 200);
      assert.ok(document.querySelector('a[href="/dashboard/org_harbor/donations/don_zq"]'));
      assert.doesNotMatch(text, /don_zl|dnr_zl/);
      assert.doesNotMatch(decodeURIComponent(url.href), /zelda|K7QM|1,234/i);
    });
  }

  test('groups donors apart from donations', async () => {
    const page = await searched('quist');
    assert.deepEqual(textsOf(page.document, 'main h2'), ['Donations', 'Donors']);
    assert.ok(page.document.querySelector('[aria-label="Donors"] a[href$="/donors/dnr_zq"]'));
  });

  test('keeps the text in the header, and continues in the lists', async () => {
    await pool.query(
      `insert into donor (id, organization_id, email, last_name, source)
       select 'dnr_many_' || n, 'org_harbor', 'many' || n || '@example.org', 'Manyfold', 'api'
       from generate_series(1, 12) as n`,
    );
    await pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source, donor_name)
       select 'don_many_' || n, 'org_harbor', 4343, 'usd', 'api', 'Manyfold'
       from generate_series(1, 12) as n`,
    );
    const person = visitor();
    await person.openAs(OWNER, '/dashboard/org_harbor');
    const found = await person.post(SEARCH, { q: 'Manyfold' });
    assert.ok(found.document.querySelector('#quick-search[value="Manyfold"]'));
    const links = ({ document }: PageResponse) =>
      [...document.querySelectorAll('p')]
        .filter(({ textContent }) => textContent.includes('newest 10.'))
        .flatMap((paragraph) => attributesOf(paragraph, 'a', 'href'));
    const [donations, donors] = links(found);
    assert.match((await person.open(donations!)).text, /don_many_12"/);
    const list = await person.open(donors!);
    assert.match(list.text, /12 donors/);
    const [ofAmount] = links(await person.post(SEARCH, { q: '43.43' }));
    assert.match((await person.open(ofAmount!)).text, /don_many_12"/);
  });

  test('finds payouts', async () => {
    await pool.query(
      `insert into payout (id, organization_id, amount_cents, currency, status, arrival_date,
         statement_descriptor)
       values ('po_zq', 'org_harbor', 765432, 'usd', 'paid', now(), 'HARBORZQ')`,
    );
    for (const q of ['po_zq', 'HARBORZQ', '7654.32']) {
      const { document } = await searched(q);
      assert.ok(textsOf(document, 'main h2').includes('Payouts'), q);
      assert.ok(document.querySelector('[aria-label="Payouts"] a[href$="/payouts/po_zq"]'), q);
    }
  });

  test('finds amounts in the currency of the text, and in any currency without one', async () => {
    await pool.query(
      `insert into donation (id, organization_id, amount_cents, currency, source) values
       ('don_eur_50', 'org_harbor', 604050, 'eur', 'api'),
       ('don_usd_50', 'org_harbor', 604050, 'usd', 'api')`,
    );
    await pool.query(
      `insert into payout (id, organization_id, amount_cents, currency, status, arrival_date)
       values ('po_usd_50', 'org_harbor', 604050, 'usd', 'paid', now())`,
    );
    for (const [q, found] of [
      ['€6,040.50', ['don_eur_50']],
      ['$6040.50', ['don_usd_50', 'po_usd_50']],
      ['6040.50', ['don_eur_50', 'don_usd_50', 'po_usd_50']],
    ] as const) {
      const links = attributesOf((await searched(q)).document, 'main a[href*="_50"]', 'href');
      const ids = links.map((href) => href.slice(href.lastIndexOf('/') + 1));
      assert.deepEqual(ids.sort(), found, q);
    }
  });

  test('shows only what the member may read', async () => {
    const grant = (permissions: string) =>
      pool.query(
        `update membership set permissions = $2 where organization_id = 'org_harbor'
         and person_id = (select id from person where email = $1)`,
        [ADMIN, permissions],
      );
    await grant('{donations:read}');
    const donations = await searched('quist', ADMIN);
    assert.match(donations.text, /don_zq/);
    assert.doesNotMatch(donations.text, /dnr_zq/);
    await grant('{donors:read}');
    const donors = await searched('quist', ADMIN);
    assert.match(donors.text, /dnr_zq/);
    assert.doesNotMatch(donors.text, /don_zq/);
    const volunteer = await searched('quist', VOLUNTEER);
    assert.doesNotMatch(volunteer.text, /don_zq|dnr_zq/);
    assert.equal(volunteer.document.querySelector('.quick-search, #quick-search'), null);
  });

  test('answers any text without an error', async () => {
    for (const q of [
      '',
      ' ',
      '%',
      "'",
      '\u0000',
      '\\',
      '9'.repeat(100),
      '$',
      '1.2.3',
      '﷽',
      '<b>',
    ]) {
      assert.equal((await searched(q)).status, 200, q);
    }
    assert.match((await searched('nobody-at-all')).text, /Nothing found/);
  });

  test('rejects a link with an expired, foreign or invented search', async () => {
    const person = visitor();
    const page = await person.openAs(OWNER, `${SEARCH}?search=invented`);
    assert.match(page.text, /This search has expired/);
    const { url } = await searched('quist');
    const elsewhere = await person.open(
      `${url.pathname.replace('org_harbor', 'org_lantern')}${url.search}`,
    );
    assert.match(elsewhere.text, /This search has expired/);
  });
});
