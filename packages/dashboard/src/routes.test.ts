import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ADMIN,
  CALLBACK,
  DEVELOPER,
  OWNER,
  startOauth,
  VOLUNTEER,
  type PageResponse,
} from '@connect-embed/api/test-support/app/start-oauth';
import { attributesOf, textsOf } from '@connect-embed/api/test-support/browser/read-document';

const { api, visitor, tokens } = await startOauth();
const KEYS = '/dashboard/org_harbor/api-keys';

const statusOf = async (token: string, path = '/donations?limit=1') =>
  (await api.get(path, token)).status;
const secretIn = ({ document }: PageResponse) =>
  document.querySelector('#secret')?.getAttribute('value') ?? '';

describe('the dashboard', () => {
  test('redirects to the sign-in page and back to the requested page', async () => {
    const { url } = await visitor().openAs(OWNER, '/dashboard/org_lantern/connected-apps');
    assert.equal(url.pathname, '/dashboard/org_lantern/connected-apps');
  });

  test('redirects members to their organization and developers to their apps', async () => {
    const homePath = (await visitor().openAs(OWNER, '/dashboard')).url.pathname;
    assert.equal(homePath, '/dashboard/org_harbor');
    const developer = await visitor().openAs(DEVELOPER, '/dashboard');
    assert.equal(developer.url.pathname, '/dashboard/apps');
  });

  test('account pages link back to the last viewed organization while the person is a member', async () => {
    const person = visitor();
    await person.openAs(OWNER, '/dashboard/org_lantern');
    for (const path of ['/dashboard/account', '/dashboard/apps']) {
      const { document } = await person.open(path);
      assert.ok(textsOf(document, 'summary').some((text) => text.includes('Lantern')));
      assert.ok(document.querySelector('a[href="/dashboard/org_lantern/api-keys"]'));
    }
    assert.equal((await person.open('/dashboard')).url.pathname, '/dashboard/org_lantern');
    await person.post('/sign-out', {});
    // The same browser, but this person is not a member of org_lantern.
    await person.openAs(ADMIN, '/dashboard/account');
    assert.ok(!(await person.open('/dashboard/account')).text.includes('org_lantern'));
  });

  for (const [requester, email, path] of [
    ['a non-member', DEVELOPER, KEYS],
    ['an admin of another organization', ADMIN, '/dashboard/org_lantern/api-keys'],
    ['anyone, for an unknown organization', OWNER, '/dashboard/org_none/api-keys'],
    ['anyone, below their account page', OWNER, '/dashboard/account/api-keys'],
    ['anyone, below their apps page', OWNER, '/dashboard/apps/api-keys/new'],
  ] as const) {
    test(`returns 404 to ${requester}`, async () => {
      const person = visitor();
      assert.equal((await person.openAs(email, path)).status, 404);
      const response = await person.post(path, { name: 'x', scopes: 'donations:read' });
      assert.equal(response.status, 404);
    });
  }

  test('returns 403 to a member without the admin permission and reveals no key', async () => {
    const { id } = await api.createKey();
    const person = visitor();
    const page = await person.openAs(VOLUNTEER, KEYS);
    assert.equal(page.status, 403);
    assert.ok(!page.text.includes(id));
    assert.ok(!(await person.open('/dashboard/org_harbor')).text.includes(KEYS));
    assert.equal((await person.post(KEYS, { name: 'x', scopes: 'donations:read' })).status, 403);
    assert.equal((await person.post(`${KEYS}/${id}/revoke`, {})).status, 403);
  });

  test('cannot be framed', async () => {
    const { headers } = await visitor().openAs(OWNER, KEYS);
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  });
});

describe('Developers › API keys', () => {
  test('a rejected form keeps the typed values', async () => {
    const person = visitor();
    await person.openAs(OWNER, KEYS);
    const rejected = await person.post(KEYS, { scopes: 'donors:read' });
    assert.equal(rejected.status, 400);
    assert.ok(rejected.document.querySelector('[value="donors:read"][checked]'));
    const { status, document } = await person.post(KEYS, { name: 'Our "site"' });
    assert.equal(status, 400);
    assert.deepEqual(attributesOf(document, '[name="name"]', 'value'), ['Our "site"']);
    assert.equal(document.querySelector('[checked]'), null);
  });

  test('a key is shown once, works immediately and stops working when it is revoked', async () => {
    const person = visitor();
    await person.openAs(OWNER, KEYS);
    const created = await person.post(KEYS, { name: 'Our <website>', scopes: 'donations:read' });
    assert.equal(created.status, 200);
    const key = secretIn(created);
    assert.match(key, /^gb_live_[\w-]{43}$/);
    assert.ok(created.text.includes('Our &lt;website&gt;'));
    assert.equal(await statusOf(key), 200);
    assert.equal(await statusOf(key, '/donors'), 403);

    const list = await person.open(KEYS);
    assert.ok(!list.text.includes(key));
    const [revokePath = ''] = attributesOf(list.document, 'a[href$="/revoke"]', 'href');
    assert.match((await person.open(revokePath)).text, /Revoke Our &lt;website&gt;\?/);
    assert.equal(await statusOf(key), 200);
    assert.match((await person.post(revokePath, {})).text, /API key revoked/);
    assert.equal(await statusOf(key), 401);
  });

  test('of two people who revoke a key at once, one is told that it was already revoked', async () => {
    const { id } = await api.createKey(undefined, 'org_harbor');
    const people = [visitor(), visitor()];
    for (const person of people) await person.openAs(OWNER, KEYS);
    const pages = await Promise.all(people.map((each) => each.post(`${KEYS}/${id}/revoke`, {})));
    const messages = pages.map(({ text }) => /API key revoked|already revoked/.exec(text)?.[0]);
    assert.deepEqual(messages.toSorted(), ['API key revoked', 'already revoked']);
  });

  test('an admin cannot grant a scope that they do not hold', async () => {
    const person = visitor();
    const page = await person.openAs(ADMIN, KEYS);
    assert.equal(page.document.querySelector('[value="payouts:read"]'), null);
    const formFields = new URLSearchParams('name=x&scopes=payouts:read&scopes=donations:read');
    const key = secretIn(await person.post(KEYS, formFields));
    assert.equal(await statusOf(key), 200);
    assert.equal(await statusOf(key, '/payouts'), 403);
    const rejected = await person.post(KEYS, { name: 'x', scopes: 'payouts:read' });
    assert.equal(rejected.status, 400);
  });

  test('a key of another organization cannot be revoked', async () => {
    const { id, token } = await api.createKey(undefined, 'org_lantern');
    const person = visitor();
    await person.openAs(ADMIN, KEYS);
    await person.post(`${KEYS}/${id}/revoke`, {});
    assert.equal(await statusOf(token), 200);
  });
});

describe('OAuth apps', () => {
  test('a developer can register, update and delete an app and rotate its secret; nobody else can', async () => {
    const person = visitor();
    const page = await person.openAs(DEVELOPER, '/dashboard/apps');
    const invalidForm = { name: 'Mine', redirect_uris: 'http://evil.example/' };
    const refused = await person.send(page, '/dashboard/apps', invalidForm);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /must use https/);
    const created = await person.send(page, '/dashboard/apps', {
      name: 'Mine',
      redirect_uris: `${CALLBACK}\nhttps://mine.example/cb`,
    });
    assert.equal(created.status, 200);
    const secret = secretIn(created);
    assert.match(secret, /^gbs_[\w-]{43}$/);
    const id = /registered as (app_\w+)/.exec(created.text)?.[1] ?? '';

    const other = visitor();
    const foreignPage = await other.openAs(OWNER, '/dashboard/apps');
    assert.ok(!foreignPage.text.includes(id));
    assert.equal((await other.post(`/dashboard/apps/${id}/rotate-secret`, {})).status, 200);
    await other.post(`/dashboard/apps/${id}/delete`, {});

    const rotated = await person.post(`/dashboard/apps/${id}/rotate-secret`, {});
    assert.notEqual(secretIn(rotated), secret);
    assert.match(secretIn(rotated), /^gbs_/);
    const editPage = await person.open(`/dashboard/apps/${id}`);
    assert.match(editPage.text, /https:\/\/mine\.example\/cb/);
    assert.equal((await other.open(`/dashboard/apps/${id}`)).status, 404);
    const changed = { name: 'Ours', redirect_uris: CALLBACK };
    assert.equal((await other.post(`/dashboard/apps/${id}`, changed)).status, 404);
    const kept = await person.post(`/dashboard/apps/${id}`, { ...changed, name: '' });
    assert.equal(kept.status, 400);
    assert.ok(kept.text.includes(CALLBACK));
    assert.match((await person.post(`/dashboard/apps/${id}`, changed)).text, /Ours/);
    const response = await person.post(`/dashboard/apps/${id}/delete`, {});
    assert.ok(!response.text.includes(id));
  });
});

describe('Developers › Connected apps', () => {
  test('lists connected apps and revokes one immediately', async () => {
    const { access_token } = await tokens({ scope: 'donations:read offline_access' });
    const person = visitor();
    const page = await person.openAs(OWNER, '/dashboard/org_harbor/connected-apps');
    assert.match(page.text, /Sprout/);
    assert.match(page.text, /See donations/);
    assert.match(page.text, /Approved by Dana Whitfield/);
    const [revokePath = ''] = attributesOf(page.document, 'a[href$="/revoke"]', 'href');
    assert.equal((await person.open(revokePath)).status, 200);
    const after = await person.post(revokePath, {});
    assert.match(after.text, /No connected apps/);
    assert.equal(await statusOf(access_token), 401);
  });
});
