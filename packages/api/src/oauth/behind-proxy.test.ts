import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../test-support/app/start-api.ts';
import { AUTHORIZE, CALLBACK } from '../../test-support/app/start-oauth.ts';
import { People } from '../users/people.ts';
import { createApp } from './apps.ts';

const BASE = 'https://connect.example.org';
const secret = 'a secret of thirty-two characters';
const api = await startApi({ env: { API_BASE_URL: BASE } });
// The address on which the process listens, which differs from the public one.
const socket = api.url;
const people = new People(api.db, { secret, baseUrl: BASE });
const developer = { email: 'kim@example.org', name: 'Kim', password: 'a password of Kim' };
const personId = await people.create(developer);
const redirectUris = [CALLBACK];
const app = await createApp(api.db, { personId, name: 'Sprout', redirectUris });

test('behind a proxy, URLs and cookies use API_BASE_URL', async () => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.id,
    redirect_uri: CALLBACK,
    scope: 'donations:read',
  });
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
  const response = await fetch(`${socket}${AUTHORIZE}?${query}`, { headers, redirect: 'manual' });
  assert.equal(response.status, 303);
  const cookies = response.headers.getSetCookie();
  assert.ok(cookies.length > 0);
  for (const cookie of cookies) assert.match(cookie, /; secure; httponly/i, cookie);
  const interactions = await api.db.selectFrom('oauth_interaction').select('payload').execute();
  const [{ payload } = { payload: {} }] = interactions;
  assert.match(String(payload['returnTo']), /^https:\/\/connect\.example\.org\/api\/auth\//);

  const body = new URLSearchParams({ email: developer.email, password: developer.password });
  const signIn = { method: 'POST', body, headers: { origin: BASE }, redirect: 'manual' } as const;
  const signedIn = await fetch(`${socket}/sign-in`, signIn);
  assert.equal(signedIn.status, 303);
  const [cookie = ''] = signedIn.headers.getSetCookie();
  assert.match(cookie, /^__Secure-connect\..*; HttpOnly; Secure; SameSite=Lax/i);

  const metadata = await fetch(`${socket}/.well-known/oauth-authorization-server`);
  assert.equal(((await metadata.json()) as { issuer: string }).issuer, BASE);
});
