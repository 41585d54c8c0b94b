import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { cloneDatabase } from '@connect-embed/api/test-support/database/database';
import { startServerProcess } from '@connect-embed/api/test-support/processes/processes';
import { Visitor } from '@connect-embed/api/test-support/browser/visitor';
import { SERVER_KEY, startApi } from '@connect-embed/api/test-support/app/start-api';
import { textOf } from '@connect-embed/api/test-support/browser/read-document';
import { openDatabase } from '@connect-embed/api/db/database';
import {
  createSetupLink,
  redeemSetupLink,
  removeSetupLinks,
} from '@connect-embed/api/setup/setup-link';
import { join } from 'node:path';

const OWNER = { name: 'Ada Lovelace', email: 'Ada@Example.org', new_password: 'a few long words' };

/** Starts the API on a database without organizations and people. */
const startEmptyApi = () => startApi({ isEmpty: true, env: { SERVER_API_KEY: SERVER_KEY } });

const PREVIEW = { 'user-agent': 'Slackbot-LinkExpanding 1.0' };

/** Opens a setup link and presses its button. */
async function startSetup(browser: Visitor, link: string) {
  const page = await browser.open(pathOf(link));
  return await browser.send(page, '/setup/start', {});
}

const pathOf = (link: string) => link.slice(new URL(link).origin.length);

describe('a setup link', async () => {
  const { db, url, visitor, logged } = await startEmptyApi();

  test('is exchanged once for a cookie by its button, and its token leaves the URL', async () => {
    const link = await createSetupLink(db, url);
    // Programs that check links or preview them do not use it up.
    await fetch(link, { method: 'HEAD' });
    assert.match((await visitor().open(pathOf(link), PREVIEW)).text, /Start setup/);
    const browser = visitor();
    const page = await startSetup(browser, link);
    assert.equal(page.url.href, `${url}/setup`);
    assert.match(page.text, /Create your account/);
    const again = await browser.open(pathOf(link));
    assert.equal(again.url.href, `${url}/setup`, 'the same browser can go on');
    const other = await visitor().open(pathOf(link));
    assert.equal(other.status, 410);
    assert.equal(textOf(other.document, 'code'), 'connect-embed setup-link');
    assert.equal((await visitor().post('/setup/start', { token: '' })).status, 410);
    assert.ok(!logged.join('').includes(new URL(link).searchParams.get('token')!));
  });

  test('is stored as a hash', async () => {
    const token = new URL(await createSetupLink(db, url)).searchParams.get('token')!;
    const rows = JSON.stringify(await db.selectFrom('setup_link').selectAll().execute());
    assert.ok(!rows.includes(token) && !rows.includes(Buffer.from(token).toString('hex')));
  });

  test('can be redeemed by one of several requests at once', async () => {
    const token = new URL(await createSetupLink(db, url)).searchParams.get('token')!;
    const cookies = await Promise.all(Array.from({ length: 8 }, () => redeemSetupLink(db, token)));
    assert.equal(cookies.filter(Boolean).length, 1);
  });

  test('expires after an hour, before and after it was opened', async () => {
    const expire = () =>
      db
        .updateTable('setup_link')
        .set({ expires_at: sql`now() - interval '1 second'` })
        .execute();
    const link = await createSetupLink(db, url);
    await expire();
    assert.match((await visitor().open(pathOf(link))).text, /no longer valid/);
    const browser = visitor();
    await startSetup(browser, await createSetupLink(db, url));
    await expire();
    assert.equal((await browser.open('/setup')).status, 403);
    assert.equal((await browser.post('/setup', OWNER)).status, 410);
  });

  test('is needed to create an account', async () => {
    assert.equal((await visitor().open('/setup')).status, 403);
    assert.equal((await visitor().post('/setup', OWNER)).status, 410);
    assert.equal((await visitor().open('/sign-in')).url.pathname, '/setup');
    for (const token of ['', 'x', '\0', 'é'.repeat(500), 'gb_setup_1']) {
      const page = await visitor().open(`/setup?${new URLSearchParams({ token })}`);
      assert.equal(page.status, 410);
      assert.equal((await visitor().post('/setup/start', { token })).status, 410);
    }
  });

  test('is dead after it was replaced by `connect-embed setup-link`', async () => {
    const browser = visitor();
    await startSetup(browser, await createSetupLink(db, url));
    await removeSetupLinks(db);
    assert.equal((await browser.open('/setup')).status, 403);
  });
});

describe('the setup', async () => {
  const { db, url, visitor, app } = await startEmptyApi();
  const browser = visitor();
  const links = [await createSetupLink(db, url), await createSetupLink(db, url)];
  const apiStatus = async () =>
    (
      await app.request('/api/v1/organization', {
        headers: { authorization: `Bearer ${SERVER_KEY}` },
      })
    ).status;

  test('keeps what was typed, and names each problem at its field', async () => {
    const page = await startSetup(browser, links[0]!);
    const rejected = await browser.send(page, '/setup', { ...OWNER, new_password: 'short' });
    assert.equal(rejected.status, 400);
    assert.ok(rejected.document.querySelector('[value="Ada Lovelace"]'));
    assert.match(rejected.text, /Enter a password with at least 10 characters/);
    assert.equal(rejected.document.querySelector('[value="short"]'), null);
    const empty = await browser.send(page, '/setup', { name: '', email: 'ada', new_password: '' });
    assert.match(empty.text, /Enter your name[^]*Enter an email address such as/);
  });

  test('creates one owner if two browsers submit at once', async () => {
    const other = visitor();
    await startSetup(other, links[1]!);
    const pages = await Promise.all([
      browser.post('/setup', OWNER),
      other.post('/setup', { ...OWNER, email: 'other@example.org' }),
    ]);
    assert.equal((await db.selectFrom('person').select('id').execute()).length, 1);
    const [winner] = pages.filter(({ url: { pathname } }) => pathname === '/setup/organization');
    const [loser] = pages.filter(({ status }) => status === 410);
    assert.match(winner!.text, /Step 2 of 5/);
    assert.match(loser!.text, /Sign in to continue the setup/);
    assert.equal((await db.selectFrom('setup_link').select('expires_at').execute()).length, 0);
  });

  test('continues after sign-in, and creates the organization with the key of the server', async () => {
    const { email } = await db.selectFrom('person').select('email').executeTakeFirstOrThrow();
    const later = visitor();
    const signIn = await later.open('/dashboard');
    assert.equal(signIn.url.pathname, '/sign-in');
    const page = await later.send(signIn, '/sign-in', { email, password: OWNER.new_password });
    assert.equal(page.url.pathname, '/setup/organization');
    assert.equal(await apiStatus(), 401);

    const rejected = await later.send(page, '/setup/organization', {
      name: '',
      currency: 'eur',
      time_zone: 'Europe/Berlin',
      contact_email: 'not an address',
      tax_id: '12-345',
    });
    assert.equal(rejected.status, 400);
    assert.match(rejected.text, /Enter the name of your organization/);
    assert.ok(rejected.document.querySelector('[value="12-345"]'));
    assert.ok(rejected.document.querySelector('[value="eur"][selected]'));

    const home = await later.send(rejected, '/setup/organization', {
      name: 'Garden <Friends>',
      currency: 'eur',
      time_zone: 'Europe/Berlin',
      contact_email: 'garden@example.org',
      legal_name: 'Garden e.V.',
      tax_id: '12-345',
      receipt_note: 'Gemeinnützig.',
    });
    assert.match(home.url.pathname, /^\/dashboard\/org_/);
    const row = await db.selectFrom('organization').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual(
      [row.name, row.slug, row.currency, row.time_zone, row.tax_id, row.receipt_note],
      ['Garden <Friends>', 'garden-friends', 'eur', 'Europe/Berlin', '12-345', 'Gemeinnützig.'],
    );
    assert.equal(await apiStatus(), 200);
    const key = await db.selectFrom('api_key').selectAll().executeTakeFirstOrThrow();
    assert.deepEqual(key.scopes, ['payments:write', 'reference:read']);
    assert.ok(!JSON.stringify(key).includes(SERVER_KEY));
  });

  test('is over once there is an organization', async () => {
    const page = await visitor().open(pathOf(links[0]!));
    assert.equal(page.status, 410);
    assert.equal((await visitor().post('/setup/start', {})).status, 410);
    assert.match(page.text, /The setup is complete/);
    assert.ok(page.document.querySelector('a[href="/sign-in?next=%2Fdashboard"]'));
    const { url: address } = await browser.open('/setup/organization');
    assert.notEqual(address.pathname, '/setup/organization');
  });
});

describe('the API process', async () => {
  const database = await cloneDatabase();
  const { db, close } = openDatabase(database.url);
  const api = join(import.meta.dirname, '../../../cli/src/service/main.ts');
  const env = { API_PORT: '0', DATABASE_URL: database.url, API_SECRET: 's'.repeat(32) };
  const start = async () => {
    const server = await startServerProcess(api, env);
    after(() => server.stop());
    return server;
  };
  after(async () => {
    await close();
    await database.drop();
  });

  test('prints a link of its own in each of several processes, until there is an owner', async () => {
    const servers = await Promise.all([start(), start()]);
    const links = await Promise.all(
      servers.map((server) => server.waitForLine(/^Set up Connect within an hour: (\S+)$/)),
    );
    for (const [index, link] of links.entries()) {
      const page = await new Visitor(servers[index]!.url).open(pathOf(link));
      assert.match(page.text, /Start setup/);
      assert.ok(!servers[index]!.log().includes(new URL(link).searchParams.get('token')!));
    }
    assert.equal((await db.selectFrom('setup_link').select('expires_at').execute()).length, 2);
  });

  test('logs at the start which accounts have no Stripe keys', async () => {
    const organization = { id: 'org_moved', name: 'Moved', slug: 'moved', currency: 'usd' };
    await db
      .insertInto('organization')
      .values({ ...organization, processor_account_id: 'acct_of_a_platform' })
      .execute();
    const server = await startServerProcess(api, { ...env, NODE_ENV: 'production' });
    await server.stop();
    assert.match(server.log(), /"organizations":\["org_moved"\][^\n]*cannot take donations/);
  });
});
