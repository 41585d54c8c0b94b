import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { AllowedSiteRequest, type ErrorEnvelope } from '@connect-embed/contract';
import { sql } from 'kysely';
import { OWNER, startOauth, VOLUNTEER } from '../../../test-support/app/start-oauth.ts';
import { textOf } from '../../../test-support/browser/read-document.ts';
import { siteRequestContent } from '../../mail/owner-emails.ts';
import { loadMailContext } from '../../mail/mail-context.ts';
import { removeExpired } from '../../process/remove-expired.ts';
import { listOrigins } from './edit-sites.ts';

const { api, visitor } = await startOauth();
const { db } = api;
const { token } = await api.createKey();
const PAGE = '/dashboard/org_harbor/allowed-sites';
const HEADING = /Websites that ask to be allowed/;

beforeEach(async () => {
  await db.deleteFrom('allowed_site_request').execute();
  await db.deleteFrom('mail').execute();
});

const send = (origin: string) => api.post('/allowed-site-requests', token, { origin });

async function request(origin: string) {
  const response = await send(origin);
  assert.equal(response.status, 200, await response.clone().text());
  return AllowedSiteRequest.strict().parse(await response.json());
}

async function readError(response: Response) {
  const { error } = (await response.json()) as ErrorEnvelope;
  return { status: response.status, code: error.code, param: error.param };
}

async function owner() {
  const person = visitor();
  await person.openAs(OWNER, '/dashboard/org_harbor');
  return person;
}

/** Presses the button of a request on the page “Allowed sites”. */
async function press(person: Awaited<ReturnType<typeof owner>>, name: 'allow' | 'dismiss') {
  const [path] = new RegExp(`${PAGE}/requests/\\w+/${name}`).exec((await person.open(PAGE)).text)!;
  return await person.post(path, {});
}

const age = async (days: number) =>
  void (await db
    .updateTable('allowed_site_request')
    .set({ created_at: sql<Date>`now() - ${`${days} days`}::interval` })
    .execute());

describe('POST /allowed-site-requests', () => {
  test('is pending, however often a website asks, and allows nothing', async () => {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      assert.deepEqual(await request('https://blog.example'), {
        object: 'allowed_site_request',
        origin: 'https://blog.example',
        status: 'pending',
      });
    }
    const rows = await db.selectFrom('allowed_site_request').select('origin').execute();
    assert.deepEqual(rows, [{ origin: 'https://blog.example' }]);
    assert.ok(!(await listOrigins(db, 'org_harbor')).includes('https://blog.example'));
  });

  test('says that a website is allowed already, also by an entry for subdomains', async () => {
    await (await owner()).post(PAGE, { origin: '*.known.example' });
    assert.equal((await request('https://www.known.example')).status, 'allowed');
    assert.equal((await db.selectFrom('allowed_site_request').select('id').execute()).length, 0);
  });

  test('accepts an origin on the same computer', async () => {
    assert.equal((await request('http://localhost:8080')).status, 'pending');
  });

  for (const origin of ['https://*.example.org', 'http://example.org', 'https://a.example/x', '']) {
    test(`rejects “${origin}”`, async () => {
      const error = await readError(await send(origin));
      assert.deepEqual([error.status, error.param], [400, 'origin']);
    });
  }

  test('keeps 20 pending requests of an organization, also if many arrive at once', async () => {
    const sites = Array.from({ length: 24 }, (_, index) => `https://s${index}.example`);
    const responses = await Promise.all(sites.map(send));
    const statuses = responses.map(({ status }) => status).sort((a, b) => a - b);
    assert.deepEqual([statuses[19], statuses[20], statuses[23]], [200, 409, 409]);
    const error = await readError(await send('https://late.example'));
    assert.deepEqual(error, { status: 409, code: 'limit_reached', param: undefined });
  });

  test('emails every owner and admin, once a day', async () => {
    await request('https://one.example');
    await request('https://two.example');
    const mails = await db.selectFrom('mail').select(['id', 'kind']).execute();
    const people = await db
      .selectFrom('membership')
      .select('person_id')
      .where('organization_id', '=', 'org_harbor')
      .where('role', '!=', 'member')
      .execute();
    assert.equal(mails.length, people.length);
    const content = siteRequestContent((await loadMailContext(db, mails[0]!.id))!);
    assert.match(content.subject, /Harbor Street Food Bank/);
    assert.match(content.action!.url, /\/dashboard\/org_harbor\/allowed-sites$/);
  });

  test('expires after 30 days, and can then be sent again', async () => {
    await request('https://old.example');
    await age(31);
    assert.doesNotMatch((await (await owner()).open(PAGE)).text, HEADING);
    await request('https://old.example');
    assert.match((await (await owner()).open(PAGE)).text, HEADING);
    await age(31);
    await removeExpired(db);
    assert.equal((await db.selectFrom('allowed_site_request').select('id').execute()).length, 0);
  });
});

describe('a website that was refused a form', () => {
  const REFUSED = /Websites that could not show your form/;
  const refuse = async (origin: string, form?: string) => {
    const body = { origin, refused: true, ...(form && { form }) };
    const response = await api.post('/allowed-site-requests', token, body);
    assert.equal(response.status, 200, await response.clone().text());
  };

  test('is shown for a day, on Home as well, and emails nobody', async () => {
    await refuse('https://shop.example');
    const person = await owner();
    const page = textOf((await person.open(PAGE)).document, 'main')!;
    assert.match(page, REFUSED);
    assert.match(page, /https:\/\/shop\.example/);
    assert.doesNotMatch(page, HEADING);
    const home = textOf((await person.open('/dashboard/org_harbor')).document, 'main')!;
    assert.match(home, REFUSED);
    assert.match(home, /https:\/\/shop\.example/);
    assert.deepEqual(await db.selectFrom('mail').select('id').execute(), []);
    await age(2);
    assert.doesNotMatch((await person.open(PAGE)).text, REFUSED);
  });

  test('is shown with the form that its page asked for', async () => {
    await refuse('https://shop.example', 'website');
    await refuse('https://store.example', 'of-a-file');
    const person = await owner();
    for (const url of [PAGE, '/dashboard/org_harbor']) {
      const page = textOf((await person.open(url)).document, 'main')!;
      assert.match(page, /https:\/\/shop\.example asked for the form Donate on our website/);
      assert.match(page, /https:\/\/store\.example asked for the form of-a-file/);
    }
  });

  test('is allowed with one button', async () => {
    await refuse('https://store.example');
    await press(await owner(), 'allow');
    assert.ok((await listOrigins(db, 'org_harbor')).includes('https://store.example'));
    assert.doesNotMatch((await (await owner()).open(PAGE)).text, REFUSED);
  });

  test('stays hidden after Dismiss, however often it tries', async () => {
    await refuse('https://shop.example');
    await press(await owner(), 'dismiss');
    await refuse('https://shop.example');
    assert.doesNotMatch((await (await owner()).open(PAGE)).text, REFUSED);
  });

  test('can still ask, and its request is not replaced by further attempts', async () => {
    await refuse('https://shop.example');
    await request('https://shop.example');
    await refuse('https://shop.example');
    const page = (await (await owner()).open(PAGE)).text;
    assert.match(page, HEADING);
    assert.doesNotMatch(page, REFUSED);
  });

  test('is one of the ten newest, and takes no place of those that ask', async () => {
    for (let index = 0; index < 12; index += 1) await refuse(`https://s${index}.example`);
    await request('https://blog.example');
    const rows = await db
      .selectFrom('allowed_site_request')
      .select(['origin', 'refused'])
      .execute();
    const refused = rows.filter((row) => row.refused).map(({ origin }) => origin);
    assert.equal(refused.length, 10);
    assert.ok(!refused.includes('https://s0.example') && refused.includes('https://s11.example'));
  });
});

describe('a request on the page “Allowed sites”', () => {
  test('is allowed by an owner', async () => {
    await request('https://blog.example');
    const person = await owner();
    const home = await person.open('/dashboard/org_harbor');
    assert.match(textOf(home.document, '.count')!, /^1/);
    const page = await press(person, 'allow');
    assert.match(page.text, /https:\/\/blog\.example can show your forms within a minute/);
    assert.doesNotMatch(page.text, HEADING);
    assert.ok((await listOrigins(db, 'org_harbor')).includes('https://blog.example'));
    assert.equal((await request('https://blog.example')).status, 'allowed');
  });

  test('is dismissed by an owner, and does not come back when the website asks again', async () => {
    await request('https://spam.example');
    const person = await owner();
    assert.match((await press(person, 'dismiss')).text, /was dismissed/);
    assert.equal((await request('https://spam.example')).status, 'pending');
    assert.doesNotMatch((await person.open(PAGE)).text, HEADING);
    assert.ok(!(await listOrigins(db, 'org_harbor')).includes('https://spam.example'));
  });

  test('is dismissed together with all others that the page shows, and no later one', async () => {
    for (const origin of ['https://one.example', 'https://two.example']) await request(origin);
    const person = await owner();
    const page = await person.open(PAGE);
    assert.match(page.text, /Dismiss all 2/);
    await request('https://late.example');
    const after = await person.send(page, `${PAGE}/requests/dismiss`, {});
    assert.match(after.text, /The websites were dismissed/);
    assert.match(after.text, /https:\/\/late\.example/);
    assert.doesNotMatch(after.text, /https:\/\/(one|two)\.example|Dismiss all/);
  });

  test('disappears when an owner adds the website by hand', async () => {
    await request('https://www.hand.example');
    const person = await owner();
    await person.post(PAGE, { origin: '*.hand.example' });
    assert.doesNotMatch((await person.open(PAGE)).text, HEADING);
  });

  test('that another owner has decided about says so', async () => {
    await request('https://twice.example');
    const person = await owner();
    const [path] = new RegExp(`${PAGE}/requests/\\w+/allow`).exec((await person.open(PAGE)).text)!;
    await person.post(path, {});
    assert.match((await person.post(path, {})).text, /has decided about this website already/);
  });

  test('belongs to one organization, and members cannot decide about it', async () => {
    await request('https://shared.example');
    const { id } = await db
      .selectFrom('allowed_site_request')
      .select('id')
      .executeTakeFirstOrThrow();
    const member = visitor();
    await member.openAs(VOLUNTEER, '/dashboard/org_harbor');
    assert.equal((await member.post(`${PAGE}/requests/${id}/allow`, {})).status, 403);
    assert.equal((await member.post(`${PAGE}/requests/dismiss`, { ids: id })).status, 403);
    const other = await api.createKey(['payments:write'], 'org_lantern');
    const own = { origin: 'https://shared.example' };
    await api.post('/allowed-site-requests', other.token, own);
    const rows = await db.selectFrom('allowed_site_request').select('organization_id').execute();
    assert.equal(rows.length, 2);
  });
});
