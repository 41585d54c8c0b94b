import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Auth, skipCSRFCheck, type AuthConfig } from '@auth/core';
import { generators, Issuer } from 'openid-client-5';
import { codeBlocks } from '../../test-support/guides/read-guide.ts';
import { startOauth, type TokenBody } from '../../test-support/app/start-oauth.ts';

const SITE = 'https://platform.example.com';
const AUTH_JS_CALLBACK = `${SITE}/api/auth/callback/connect`;

const { api, newApp, decide } = await startOauth();
const app = await newApp([`${SITE}/callback`, AUTH_JS_CALLBACK]);

/** A folder in which the samples are files, beside the function `saveTokens` that one imports. */
const folder = await mkdtemp(join(tmpdir(), 'connect-samples-'));
after(() => rm(folder, { recursive: true }));
await symlink(join(import.meta.dirname, '../../../../node_modules'), join(folder, 'node_modules'));
await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
await writeFile(
  join(folder, 'tokens.js'),
  'export const saved = []; export const saveTokens = (account) => saved.push(account);',
);
const { saved } = (await importFile('tokens.js')) as { saved: TokenBody[] };

async function importFile(name: string): Promise<unknown> {
  return await import(pathToFileURL(join(folder, name)).href);
}

/** Imports the sample of docs/api/oauth-libraries.md that contains a text, with the values of the test. */
async function importSample<Sample>(text: string): Promise<Sample> {
  const block = codeBlocks('oauth-libraries').find((sample) => sample.text.includes(text));
  const name = `${text.replaceAll(/\W/g, '')}.js`;
  const code = block!.text
    .replaceAll('http://localhost:4000', api.url)
    .replaceAll('process.env.CONNECT_CLIENT_ID', JSON.stringify(app.id))
    .replaceAll('process.env.CONNECT_CLIENT_SECRET', JSON.stringify(app.secret));
  await writeFile(join(folder, name), code);
  return (await importFile(name)) as Sample;
}

/** Asserts that an access token reads the donations of the organization that approved. */
async function assertTokens(tokens: TokenBody): Promise<void> {
  assert.equal(tokens.organization_id, 'org_harbor');
  assert.match(tokens.refresh_token, /^gbr_/);
  assert.equal((await api.get('/donations', tokens.access_token)).status, 200);
}

interface Connection {
  startConnection(session: object): Promise<string>;
  finishConnection(url: string, session: object): Promise<TokenBody>;
  refreshTokens(refreshToken: string): Promise<TokenBody>;
}

for (const library of ['openid-client', 'oauth4webapi', 'simple-oauth2']) {
  describe(library, async () => {
    const sample = await importSample<Connection>(`from '${library}'`);

    test('connects an organization with PKCE, and refreshes the tokens', async () => {
      const session = {};
      const url = await sample.startConnection(session);
      assert.equal(new URL(url).searchParams.get('code_challenge_method'), 'S256');
      const { callback } = await decide(url);
      const tokens = await sample.finishConnection(callback.href, session);
      await assertTokens(tokens);
      await assertTokens(await sample.refreshTokens(tokens.refresh_token));
    });

    for (const [name, value] of [
      ['state', 'another'],
      ['iss', 'https://another.example'],
    ] as const) {
      test(`rejects a response with another ${name}`, async () => {
        const session = {};
        const { callback } = await decide(await sample.startConnection(session));
        const changed = new URL(callback);
        changed.searchParams.set(name, value);
        await assert.rejects(sample.finishConnection(changed.href, session));
        await assertTokens(await sample.finishConnection(callback.href, session));
      });
    }

    test('rejects a refusal', async () => {
      const session = {};
      const url = await sample.startConnection(session);
      const { callback } = await decide(url, { decision: 'refuse' });
      await assert.rejects(
        sample.finishConnection(callback.href, session),
        ({ error, message }: Error & { error?: string }) => (error ?? message) === 'access_denied',
      );
    });
  });
}

const { authOptions } = await importSample<{ authOptions: AuthConfig }>('authOptions');
const [provider] = authOptions.providers as unknown as [AuthJsProvider];

/** The settings of the sample that NextAuth.js 4 passes to `openid-client` 5. */
interface AuthJsProvider {
  issuer: string;
  authorization: { url: string; params: { scope: string } };
  token: string;
  userinfo: string;
  clientId: string;
  clientSecret: string;
  profile(organization: object): { id: string; name: string };
}

describe('Auth.js', () => {
  /** Signs in as a browser does, and returns the address to which Auth.js finally redirects it. */
  async function signIn(provider: object) {
    const errors: Error[] = [];
    const config: AuthConfig = {
      ...authOptions,
      providers: [provider as AuthConfig['providers'][number]],
      basePath: '/api/auth',
      secret: 'secret of the test',
      trustHost: true,
      skipCSRFCheck,
      logger: { error: (error) => errors.push(error) },
    };
    const form = { method: 'POST', body: new URLSearchParams() };
    const start = await Auth(new Request(`${SITE}/api/auth/signin/connect`, form), config);
    const { callback } = await decide(start.headers.get('location')!);
    assert.equal(callback.origin + callback.pathname, AUTH_JS_CALLBACK);
    const cookies = start.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
    const headers = { cookie: cookies.join('; ') };
    const response = await Auth(new Request(callback, { headers }), config);
    return { location: response.headers.get('location'), errors };
  }

  test('connects an organization, and saves its tokens', async () => {
    assert.deepEqual(await signIn(provider), { location: SITE, errors: [] });
    await assertTokens(saved.at(-1)!);
  });

  test('fails without issuer with the documented error', async () => {
    const { location, errors } = await signIn({ ...provider, issuer: undefined });
    assert.match(location!, /error=/);
    const { err } = errors[0]!.cause as { err: Error };
    assert.match(err.message, /unexpected "iss" \(issuer\) response parameter value/);
  });
});

describe('NextAuth.js 4', () => {
  /**
   * Connects as NextAuth.js 4 does with the settings of a provider. The package itself requires an
   * installation of Next.js.
   */
  async function signIn({ issuer, authorization, token, userinfo, ...settings }: AuthJsProvider) {
    const { Client } = new Issuer({
      issuer,
      authorization_endpoint: authorization.url,
      token_endpoint: token,
      userinfo_endpoint: userinfo,
    });
    const client = new Client({
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      redirect_uris: [AUTH_JS_CALLBACK],
    });
    const checks = { state: generators.state(), code_verifier: generators.codeVerifier() };
    const url = client.authorizationUrl({
      ...authorization.params,
      state: checks.state,
      code_challenge: generators.codeChallenge(checks.code_verifier),
      code_challenge_method: 'S256',
    });
    const params = client.callbackParams((await decide(url)).callback.href);
    const tokens = await client.oauthCallback(AUTH_JS_CALLBACK, params, checks);
    return { tokens, profile: settings.profile(await client.userinfo(tokens)) };
  }

  test('connects an organization', async () => {
    const { tokens, profile } = await signIn(provider);
    await assertTokens(tokens as unknown as TokenBody);
    assert.deepEqual(profile, { id: 'org_harbor', name: 'Harbor Street Food Bank' });
  });

  test('fails without issuer with the documented error', async () => {
    const { issuer: _, ...withoutIssuer } = provider;
    await assert.rejects(
      signIn(withoutIssuer as AuthJsProvider),
      /issuer must be configured on the issuer/,
    );
  });
});

describe('Passport', async () => {
  type Strategy = { authenticate(request: object): void };
  const { strategy } = await importSample<{ strategy: Strategy }>('OAuth2Strategy');

  /** Runs the strategy for a request, as Passport does: with the functions that end it. */
  const authenticate = (request: object) =>
    new Promise<unknown>((resolve, reject) => {
      const ends = { redirect: resolve, success: resolve, fail: reject, error: reject };
      Object.assign(Object.create(strategy) as Strategy, ends).authenticate(request);
    });

  test('connects an organization with PKCE', async () => {
    const session = {};
    const url = (await authenticate({ session, query: {} })) as string;
    assert.equal(new URL(url).searchParams.get('code_challenge_method'), 'S256');
    const { callback } = await decide(url);
    const query = Object.fromEntries(callback.searchParams);
    const user = (await authenticate({ session, query })) as Record<string, string>;
    assert.equal(user['id'], 'org_harbor');
    assert.match(user['refreshToken']!, /^gbr_/);
    assert.equal((await api.get('/donations', user['accessToken']!)).status, 200);
  });

  test('rejects a response with another state', async () => {
    const session = {};
    const { callback } = await decide((await authenticate({ session, query: {} })) as string);
    const query = { ...Object.fromEntries(callback.searchParams), state: 'another' };
    await assert.rejects(authenticate({ session, query }));
  });
});
