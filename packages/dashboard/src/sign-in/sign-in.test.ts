import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  DEVELOPER,
  OWNER,
  startOauth,
  VOLUNTEER,
} from '@connect-embed/api/test-support/app/start-oauth';
import { DEMO_PASSWORD } from '@connect-embed/api/users/demo-people';

// The API trusts the client address that a proxy sends in `X-Forwarded-For`.
const { api, visitor } = await startOauth({ env: { TRUST_PROXY: '1' } });

/** A client with its own IP address and browser. */
function client(address: string, person = visitor()) {
  const from = { 'x-forwarded-for': address };
  const signIn = (email: string, password = DEMO_PASSWORD) =>
    person.post('/sign-in', { email, password }, from);
  return { person, signIn, from };
}

/**
 * Submits `times` wrong passwords.
 *
 * @returns the status of each response
 */
async function guessPasswords({ signIn }: ReturnType<typeof client>, email: string, times: number) {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < times; attempt += 1) {
    statuses.push((await signIn(email, `wrong ${attempt}`)).status);
  }
  return statuses;
}

const isSignedIn = ({ url }: { url: URL }) => url.pathname.startsWith('/dashboard');

describe('wrong passwords', () => {
  test('are counted per client address, across accounts', async () => {
    const attacker = client('198.51.100.7');
    const statuses: number[] = [];
    for (let at = 0; at < 60; at += 1) {
      statuses.push((await attacker.signIn(`person-${at}@example.org`, 'a guess')).status);
    }
    assert.deepEqual(statuses.slice(0, 30), Array(30).fill(401));
    assert.deepEqual(statuses.slice(30), Array(30).fill(429));
    const refused = await attacker.signIn(DEVELOPER);
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get('retry-after')) > 800);
    assert.ok(isSignedIn(await client('198.51.100.8').signIn(DEVELOPER)));
  });

  test('are counted per /64 network for IPv6', async () => {
    for (let at = 0; at < 30; at += 1) {
      await client(`2001:db8:1:2::${at}`).signIn(`six-${at}@example.org`, 'a guess');
    }
    assert.equal((await client('2001:db8:1:2:ffff::1').signIn(DEVELOPER)).status, 429);
    assert.ok(isSignedIn(await client('2001:db8:1:3::1').signIn(DEVELOPER)));
  });

  test('correct passwords from one address are not limited', async () => {
    const sharedAddress = '198.51.100.20';
    for (let at = 0; at < 35; at += 1) {
      assert.ok(isSignedIn(await client(sharedAddress).signIn(DEVELOPER)), `sign-in ${at}`);
    }
  });

  test('from unknown browsers do not lock out a browser that has signed in before', async () => {
    const knownClient = client('203.0.113.1');
    assert.ok(isSignedIn(await knownClient.signIn(VOLUNTEER)));
    await knownClient.person.post('/sign-out', {});
    // The unknown browser has the same IP address.
    const unknownClient = client('203.0.113.1');
    assert.deepEqual(await guessPasswords(unknownClient, VOLUNTEER, 11), [
      ...Array<number>(10).fill(401),
      429,
    ]);
    await guessPasswords(unknownClient, 'somebody@example.org', 20);
    assert.equal((await client('203.0.113.2').signIn(VOLUNTEER)).status, 429);
    assert.ok(isSignedIn(await knownClient.signIn(VOLUNTEER)));
  });

  test('from a browser that has signed in before are limited too', async () => {
    const knownClient = client('203.0.113.10');
    await knownClient.signIn(DEVELOPER);
    await knownClient.person.post('/sign-out', {});
    // Ten attempts count for the known browser, and ten more as for any unknown browser.
    const statuses = await guessPasswords(knownClient, DEVELOPER, 21);
    assert.deepEqual(statuses, [...Array<number>(20).fill(401), 429]);
    assert.equal((await knownClient.signIn(DEVELOPER)).status, 429);
  });

  test('a browser known for one account is unknown for another', async () => {
    const knownClient = client('203.0.113.20');
    await knownClient.signIn(OWNER);
    await knownClient.person.post('/sign-out', {});
    assert.equal((await guessPasswords(knownClient, 'another@example.org', 11)).at(-1), 429);
  });

  test('the device cookie is encrypted, HttpOnly and sent only to /sign-in', async () => {
    const body = new URLSearchParams({ email: OWNER, password: DEMO_PASSWORD });
    const headers = { origin: api.url, 'x-forwarded-for': '203.0.113.30' };
    const init = { method: 'POST', body, headers, redirect: 'manual' } as const;
    const response = await fetch(`${api.url}/sign-in`, init);
    const cookie = response.headers
      .getSetCookie()
      .find((cookieHeader) => cookieHeader.startsWith('connect.device.'));
    assert.match(cookie ?? '', /; HttpOnly/);
    assert.match(cookie ?? '', /; Path=\/sign-in;/);
    assert.match(cookie ?? '', /; SameSite=Lax/);
    assert.doesNotMatch(cookie ?? '', /harborstreet/);
  });
});

describe('the current password', () => {
  test('cannot be guessed within a session', async () => {
    const person = visitor();
    const page = await person.openAs(OWNER, '/dashboard/account');
    const change = (password: string) =>
      person.send(page, '/dashboard/account/password', {
        password,
        new_password: 'another long password',
      });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      assert.equal((await change(`wrong ${attempt}`)).status, 400);
    }
    const refused = await change(DEMO_PASSWORD);
    assert.equal(refused.status, 429);
    assert.match(refused.text, /Too many attempts/);
    assert.ok(Number(refused.headers.get('retry-after')) > 800);
    assert.ok(isSignedIn(await client('203.0.113.40').signIn(OWNER)), 'sign-in is another count');
  });
});

describe('a flood of sign-ins', () => {
  test('is rejected immediately, while other pages still respond', async () => {
    let open = 0;
    const send = async (at: number) => {
      open += 1;
      const response = await client(`192.0.2.${at}`).signIn(`flood-${at}@example.org`, 'a guess');
      open -= 1;
      return response;
    };
    const signIns = Array.from({ length: 120 }, (_, at) => send(at));
    const refused = await Promise.race(
      signIns.map(async (pendingSignIn) => {
        const response = await pendingSignIn;
        return response.status === 503 ? response : await new Promise<never>(() => undefined);
      }),
    );
    assert.match(refused.text, /Too many sign-ins right now/);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.match(refused.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.equal((await visitor().open('/sign-in')).status, 200);
    assert.ok(open > 0, 'the page was answered while passwords were still being checked');
    const statuses = (await Promise.all(signIns)).map(({ status }) => status);
    assert.ok(statuses.every((status) => status === 401 || status === 503));
    assert.ok(statuses.includes(401));
  });
});
