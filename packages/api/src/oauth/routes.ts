import { ALL_SCOPES } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import type { Env } from '../http/env.ts';
import type { AuthorizationServer, NodeHttp } from './authorization-server.ts';
import { OAUTH_PATH } from './paths.ts';

const CLIENT_AUTH_METHODS = ['client_secret_post', 'client_secret_basic'];

/**
 * Routes of the OAuth authorization server at `{base_url}/api/auth/oauth2/` (spec: OAuth 2.0
 * authorization code flow), and its metadata (RFC 8414).
 */
export function oauthRoutes({
  loadAuthorizationServer,
  baseUrl,
}: {
  loadAuthorizationServer: () => Promise<AuthorizationServer>;
  baseUrl: string;
}) {
  const serve = async (c: Context<Env>) => {
    const { incoming, outgoing } = c.env as NodeHttp;
    outgoing.setHeader('Request-Id', c.var.requestId);
    const authorizationServer = await loadAuthorizationServer();
    await authorizationServer.serve({ incoming, outgoing });
    return alreadySentResponse(outgoing.statusCode);
  };
  return new Hono<Env>()
    .get('/.well-known/oauth-authorization-server', (c) => {
      c.header('Access-Control-Allow-Origin', '*');
      return c.json(metadata(baseUrl));
    })
    .get(`${OAUTH_PATH}/authorize`, serve)
    .get(`${OAUTH_PATH}/authorize/:uid`, serve)
    .post(`${OAUTH_PATH}/token`, serve)
    .post(`${OAUTH_PATH}/revoke`, serve)
    .post(`${OAUTH_PATH}/introspect`, serve);
}

/**
 * Creates a response for the log. `@hono/node-server` must not send it, because `oidc-provider` has
 * already written the actual response.
 */
function alreadySentResponse(status: number): Response {
  const response = new Response(null, { status, headers: { 'x-hono-already-sent': 'true' } });
  // `@hono/node-server` ignores the header in its fast path for simple responses. Reading the body
  // disables that path.
  void response.body;
  return response;
}

/**
 * The metadata of the authorization server (RFC 8414). It is written by hand, because the metadata
 * of `oidc-provider` also includes OpenID features that we do not offer.
 */
const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}${OAUTH_PATH}/authorize`,
  token_endpoint: `${issuer}${OAUTH_PATH}/token`,
  revocation_endpoint: `${issuer}${OAUTH_PATH}/revoke`,
  introspection_endpoint: `${issuer}${OAUTH_PATH}/introspect`,
  scopes_supported: [...ALL_SCOPES, 'offline_access'],
  response_types_supported: ['code'],
  response_modes_supported: ['query', 'fragment'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
  revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
  introspection_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
  authorization_response_iss_parameter_supported: true,
});
