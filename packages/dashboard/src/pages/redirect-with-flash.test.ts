import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApi } from '@connect-embed/api/test-support/app/start-api';
import { DEMO_PASSWORD, DEMO_PEOPLE } from '@connect-embed/api/users/demo-people';
import { createEncrypter } from '@connect-embed/api/lib/encrypter';

const api = await startApi();
const { visitor } = api;
const OWNER = DEMO_PEOPLE[0].email;
const KEYS = '/dashboard/org_harbor/api-keys';

/** Signs in without a cookie jar, so that a test sees and sends every cookie itself. */
async function signedIn() {
  const body = new URLSearchParams({ email: OWNER, password: DEMO_PASSWORD });
  const init = { method: 'POST', body, redirect: 'manual' } as const;
  const response = await fetch(`${api.url}/sign-in`, init);
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const get = async (otherCookies = '') => {
    const response = await fetch(api.url + KEYS, {
      headers: { cookie: `${cookie}; ${otherCookies}` },
    });
    return { text: await response.text(), cookies: response.headers.getSetCookie() };
  };
  const post = (fields: Record<string, string>) =>
    fetch(api.url + KEYS, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { cookie },
      redirect: 'manual',
    });
  return { get, post };
}

const flashCookie = (response: Response) =>
  response.headers.getSetCookie().find((each) => each.startsWith('connect_flash=')) ?? '';

describe('the flash message', () => {
  test('is stored in an encrypted cookie and shown once', async () => {
    const browser = await signedIn();
    const response = await browser.post({ name: 'A key', scopes: 'donations:read' });
    assert.equal(response.status, 303);
    assert.equal(response.headers.get('location'), KEYS);
    const cookie = flashCookie(response);
    assert.match(cookie, /HttpOnly/);
    assert.match(cookie, /Max-Age=60/);
    assert.doesNotMatch(cookie, /gb_live_/);
    const cookiePair = cookie.split(';')[0] ?? '';
    const page = await browser.get(cookiePair);
    assert.match(page.text, /gb_live_[\w-]{43}/);
    assert.ok(page.cookies.some((each) => /^connect_flash=;.*Max-Age=0/.test(each)));
    assert.doesNotMatch((await browser.get()).text, /gb_live_[\w-]{43}/);
  });

  test('is not shown to another person, nor when it is forged', async () => {
    const browser = await signedIn();
    const text = 'Call this number at once';
    const expiresAtMs = Date.now() + 60_000;
    const forged = JSON.stringify({ flash: { kind: 'success', text }, expiresAtMs });
    const ownEncrypter = createEncrypter('a secret of thirty-two characters', 'flash message');
    const foreignEncrypter = createEncrypter('another secret of thirty-two chars', 'flash message');
    for (const value of [
      await ownEncrypter.encrypt(forged, 'per_x'),
      await ownEncrypter.encrypt(forged),
      await foreignEncrypter.encrypt(forged),
      forged,
      'x',
    ]) {
      const page = await browser.get(`connect_flash=${encodeURIComponent(value)}`);
      assert.ok(!page.text.includes(text));
      assert.match(page.text, /API keys/);
    }
  });

  test('survives a redirecting page', async () => {
    const person = visitor();
    await person.openAs(OWNER, '/dashboard/org_lantern');
    const { rows } = await api.pool.query<{ id: string }>(
      'select id from person where email = $1',
      [OWNER],
    );
    await api.pool.query(
      `insert into membership (organization_id, person_id, role) select 'org_lantern', id, 'owner' from person where email <> $1 limit 1`,
      [OWNER],
    );
    const page = await person.post(`/dashboard/org_lantern/team/${rows[0]?.id}/remove`, {});
    assert.match(page.text, /no longer on the team/);
  });
});
