import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as oauth4webapi from 'oauth4webapi';
import * as client from 'openid-client';
import { CALLBACK, startOauth } from '../../test-support/app/start-oauth.ts';

const { api, app, connect } = await startOauth();
const scope = 'donations:read offline_access';

/** The query parameters of the authorization URL that the client library built. */
const paramsOf = (url: URL) => Object.fromEntries(url.searchParams);

describe('openid-client', () => {
  const discover = (authentication?: client.ClientAuth) =>
    client.discovery(new URL(api.url), app.id, app.secret, authentication, {
      algorithm: 'oauth2',
      execute: [client.allowInsecureRequests],
    });

  for (const [method, authentication] of [
    ['the secret in the form', client.ClientSecretPost(app.secret)],
    ['the secret in Basic authentication', client.ClientSecretBasic(app.secret)],
  ] as const) {
    test(`discovers, connects with PKCE, refreshes and revokes, with ${method}`, async () => {
      const config = await discover(authentication);
      const pkceCodeVerifier = client.randomPKCECodeVerifier();
      const expectedState = client.randomState();
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        scope,
        state: expectedState,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      });
      const { callback } = await connect(paramsOf(url));
      const checks = { pkceCodeVerifier, expectedState };
      const first = await client.authorizationCodeGrant(config, callback, checks);
      assert.equal((await api.get('/donations', first.access_token)).status, 200);

      const next = await client.refreshTokenGrant(config, first.refresh_token!);
      assert.equal((await client.tokenIntrospection(config, next.access_token)).active, true);
      await client.tokenRevocation(config, next.refresh_token!);
      assert.equal((await client.tokenIntrospection(config, next.access_token)).active, false);
      await assert.rejects(
        client.refreshTokenGrant(config, next.refresh_token!),
        (error: client.ResponseBodyError) => error.error === 'invalid_grant',
      );
    });
  }

  test('connects without PKCE', async () => {
    const config = await discover();
    const url = client.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope, state: 's' });
    const { callback } = await connect(paramsOf(url));
    const tokens = await client.authorizationCodeGrant(config, callback, { expectedState: 's' });
    assert.equal(tokens.expires_in, 3600);
  });
});

describe('oauth4webapi', () => {
  const insecure = { [oauth4webapi.allowInsecureRequests]: true };

  test('accepts metadata, callback, token response and error', async () => {
    const issuer = new URL(api.url);
    const found = await oauth4webapi.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const server = await oauth4webapi.processDiscoveryResponse(issuer, found);
    const clientMetadata = { client_id: app.id };
    const secret = oauth4webapi.ClientSecretPost(app.secret);
    const verifier = oauth4webapi.generateRandomCodeVerifier();
    const { callback } = await connect({
      scope,
      state: 'state-1',
      code_challenge: await oauth4webapi.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const params = oauth4webapi.validateAuthResponse(server, clientMetadata, callback, 'state-1');
    const redeem = () =>
      oauth4webapi.authorizationCodeGrantRequest(
        server,
        clientMetadata,
        secret,
        params,
        CALLBACK,
        verifier,
        insecure,
      );
    const response = await redeem();
    const tokens = await oauth4webapi.processAuthorizationCodeResponse(
      server,
      clientMetadata,
      response,
    );
    assert.match(tokens.access_token, /^gba_/);
    await assert.rejects(
      async () =>
        oauth4webapi.processAuthorizationCodeResponse(server, clientMetadata, await redeem()),
      (error: oauth4webapi.ResponseBodyError) => error.error === 'invalid_grant',
    );
  });

  test('detects a response from another issuer (RFC 9207)', async () => {
    const server = {
      issuer: 'https://another.example',
      authorization_response_iss_parameter_supported: true,
    };
    const { callback } = await connect({ state: 's' });
    assert.throws(() =>
      oauth4webapi.validateAuthResponse(server, { client_id: app.id }, callback, 's'),
    );
  });
});
