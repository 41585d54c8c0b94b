import { generateKeyPairSync } from 'node:crypto';
import { ALL_SCOPES, isScope } from '@connect-embed/contract';
import {
  errors,
  interactionPolicy,
  type Configuration,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Db } from '../db/schema.ts';
import { selectActiveGrant } from './active-grants.ts';
import { CONSENT_PATH, OAUTH_PATH } from './paths.ts';

/** Lifetime of an access token (spec: Limits). */
const ACCESS_TOKEN_SECONDS = 3600;
const REFRESH_TOKEN_SECONDS = 30 * 86_400;
/**
 * Lifetime of an authorization code. It is short, because apps redeem a code immediately (RFC 6749,
 * 4.1.2 allows at most ten minutes).
 */
const CODE_SECONDS = 60;
/** Time to sign in and decide on the consent page. */
const INTERACTION_SECONDS = 3600;

/** Settings of the library that are the same in every process. */
const FIXED_SETTINGS = {
  clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
  clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
  responseTypes: ['code'],
  scopes: ['offline_access', ...ALL_SCOPES],
  subjectTypes: ['public'],
  // RFC 6749, 4.1.3: the token request repeats the `redirect_uri` of the authorization request.
  allowOmittingSingleRegisteredRedirectUri: false,
  extraParams: { checked_last: rejectUnknownScopes },
  routes: {
    authorization: `${OAUTH_PATH}/authorize`,
    token: `${OAUTH_PATH}/token`,
    revocation: `${OAUTH_PATH}/revoke`,
    introspection: `${OAUTH_PATH}/introspect`,
  },
  features: {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    resourceIndicators: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    revocation: { enabled: true, allowedPolicy: isOwnToken },
    introspection: { enabled: true, allowedPolicy: isOwnToken },
  },
  formats: { bitsOfOpaqueRandomness: 256 },
  // PKCE is optional, because apps have a secret. If a challenge is sent, it is checked.
  pkce: { required: () => false },
  rotateRefreshToken: true,
  expiresWithSession: () => false,
  ttl: {
    AccessToken: ACCESS_TOKEN_SECONDS,
    RefreshToken: REFRESH_TOKEN_SECONDS,
    AuthorizationCode: CODE_SECONDS,
    Interaction: INTERACTION_SECONDS,
    Session: INTERACTION_SECONDS,
  },
} satisfies Configuration;

/** Returns the settings of the library `oidc-provider`. */
export const configuration = (db: Db): Configuration => ({
  ...FIXED_SETTINGS,
  jwks: { keys: [createUnusedSigningKey()] },
  interactions: {
    policy: interactionPolicy.base(),
    url: (_ctx, { uid }) => `${CONSENT_PATH}/${uid}`,
  },
  loadExistingGrant: async ({ oidc }) => {
    const grantId = oidc.result?.consent?.grantId;
    return grantId ? await oidc.provider.Grant.find(grantId) : undefined;
  },
  extraTokenClaims: async (_ctx, token) => {
    const grantId = 'grantId' in token ? (token.grantId ?? '') : '';
    const grant = selectActiveGrant(db).where('granted.id', '=', grantId);
    return await grant.select('organization.id as organization_id').executeTakeFirst();
  },
  findAccount: async (_ctx, id) => {
    const query = db.selectFrom('person').select('id').where('id', '=', id);
    if (!(await query.executeTakeFirst())) return undefined;
    return { accountId: id, claims: async () => ({ sub: id }) };
  },
});

/**
 * Creates a signing key that is never used. `oidc-provider` is also an OpenID provider and does not
 * start without a key for identity tokens, but we issue none. The key exists only in the memory of
 * this process.
 */
function createUnusedSigningKey(): JWK {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { ...privateKey.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig' };
}

/**
 * Rejects a request with an unknown scope. The library would ignore the scope silently, and the
 * developer would not notice a misspelled name. (`extraParams` is the hook where the library runs
 * custom request checks; `checked_last` is not a real parameter.)
 */
function rejectUnknownScopes({ query }: KoaContextWithOIDC): void {
  const names = String(query['scope'] ?? '')
    .split(' ')
    .filter(Boolean);
  const unknown = names.find((name) => name !== 'offline_access' && !isScope(name));
  if (unknown !== undefined) {
    throw new errors.InvalidScope('scope: unknown scope', unknown);
  }
  if (!names.some(isScope))
    throw new errors.InvalidScope('scope must include at least one data scope', '');
}

/** An app may introspect and revoke only its own tokens. */
function isOwnToken(
  _ctx: unknown,
  client: { clientId: string },
  token: { clientId?: string | undefined },
): boolean {
  return token.clientId === client.clientId;
}
