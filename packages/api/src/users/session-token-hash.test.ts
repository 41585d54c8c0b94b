import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../test-support/app/start-api.ts';
import { hashToken } from '../lib/id.ts';
import { People } from './people.ts';

const { db, pool } = await startApi();
const people = new People(db, { secret: 'a secret for this test', baseUrl: 'http://localhost' });
const email = 'ada@example.org';
const password = 'correct horse battery';
await people.create({ email, name: 'Ada', password });

/** Signs in and returns the session cookie and the token in it. */
async function signIn() {
  const step = await people.signIn(email, password, new Headers());
  const cookie = step?.cookies.getSetCookie()[0]?.split(';')[0] ?? '';
  const [token = ''] = decodeURIComponent(cookie.split('=')[1] ?? '').split('.');
  assert.ok(token.length >= 32);
  return { from: new Headers({ cookie }), token };
}

const storedTokens = async () => {
  const { rows } = await pool.query<{ token: string }>('select token from sign_in_session');
  return rows.map(({ token }) => token);
};
const isSignedIn = async ({ from }: { from: Headers }) =>
  (await people.getPerson(from))?.email === email;

test('the database contains the hash of a session token, never the token', async () => {
  const session = await signIn();
  const tokens = await storedTokens();
  assert.ok(tokens.includes(hashToken(session.token).toString('hex')));
  assert.ok(!tokens.includes(session.token));
  assert.ok(await isSignedIn(session));
});

test('signing out ends only this session', async () => {
  const [first, second] = [await signIn(), await signIn()];
  await people.signOut(first.from);
  assert.deepEqual([await isSignedIn(first), await isSignedIn(second)], [false, true]);
  assert.ok(!(await storedTokens()).includes(hashToken(first.token).toString('hex')));
});

test('a new password ends all other sessions', async () => {
  const [first, second] = [await signIn(), await signIn()];
  const headers = await people.changePassword(first.from, {
    currentPassword: password,
    newPassword: password,
  });
  const cookie = headers?.getSetCookie()[0]?.split(';')[0] ?? '';
  assert.ok(await isSignedIn({ from: new Headers({ cookie }) }));
  assert.deepEqual([await isSignedIn(first), await isSignedIn(second)], [false, false]);
});
