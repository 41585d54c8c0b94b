import { ConnectError } from '@connect-embed/contract';
import { parseBearer } from '@connect-embed/contract/hono';
import {
  createRemoteJWKSet,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyOptions,
} from 'jose';
import type { Permission, ResolvedConfig, Viewer } from '../connect-config.ts';
import { unauthorizedError } from './visitor-tokens.ts';
import { SigningKeys } from './signing-keys.ts';

/** Algorithms with a public key. `none` and shared secrets must never be accepted with a JWKS. */
const PUBLIC_KEY_ALGORITHMS = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'PS256',
  'PS384',
  'PS512',
  'RS256',
  'RS384',
  'RS512',
];

const SETUP_HELP =
  'If this is your site, set "authorize" or "viewer" in connect.config.ts, or VIEWER_SECRET.';

/** Returns the components for which a request may open a session. */
export type PermissionCheck = (request: Request) => Promise<Permission>;

/**
 * Creates the check of who may see the organization's data: the host's `authorize` hook decides,
 * else a signed viewer token, else access is denied. docs/decisions/0013-component-sessions.md
 *
 * Visitors who are not viewers get the public tables, if configured. An invalid viewer token is
 * still rejected, so that the page can renew it.
 */
export function createPermissionCheck(config: ResolvedConfig): PermissionCheck {
  const { authorize, viewer, publicTables, now } = config;
  const publicPermission = publicTables && ({ ...publicTables, anybody: true } as const);
  if (authorize)
    return async (request) => (await authorize(request)) || (publicPermission ?? false);
  if (viewer) {
    const read = checkViewerToken(viewer, now);
    return async (request) =>
      publicPermission && !request.headers.has('authorization')
        ? publicPermission
        : await read(request);
  }
  if (publicPermission) return async () => publicPermission;
  return () => {
    throw new ConnectError(
      'forbidden',
      `Access to this organization's data is not configured. ${SETUP_HELP}`,
    );
  };
}

function checkViewerToken(viewer: Viewer, now: () => number): PermissionCheck {
  const verify = createVerifier(viewer);
  return async (request) => {
    const token = parseBearer(request.headers.get('authorization'));
    if (!token) {
      throw unauthorizedError(
        'Authorization: Bearer <viewer token> is missing.',
        'credential_missing',
      );
    }
    const payload = await verify(token, new Date(now())).catch(throwTokenError);
    const { components, organization, masks } = payload;
    return {
      // A value that is not a list also restricts: it must not grant every component.
      ...(components !== undefined && { components: [components].flat().map(String) }),
      ...(typeof organization === 'string' && { organization }),
      // Passed on unvalidated: `masksOf` rejects a value that is not a list of masks.
      ...(masks !== undefined && { masks: masks as string[] }),
    };
  };
}

type Verify = (token: string, currentDate: Date) => Promise<JWTPayload>;

function createVerifier(viewer: Viewer): Verify {
  const verifyOptions: JWTVerifyOptions = {
    requiredClaims: ['exp'],
    ...(viewer.audience && { audience: viewer.audience }),
    ...(viewer.issuer && { issuer: viewer.issuer }),
  };
  if ('secret' in viewer) {
    const keys = new SigningKeys(viewer.secret);
    return (token, currentDate) => keys.verify(token, { ...verifyOptions, currentDate });
  }
  const keys = createRemoteJWKSet(new URL(viewer.jwksUrl));
  return async (token, currentDate) =>
    (
      await jwtVerify(token, keys, {
        ...verifyOptions,
        currentDate,
        algorithms: PUBLIC_KEY_ALGORITHMS,
      })
    ).payload;
}

/** Keys that cannot be fetched are a server error (503) and not the viewer's (401). */
function throwTokenError(cause: unknown): never {
  const isExpired = cause instanceof errors.JWTExpired;
  if (isExpired || isTokenError(cause)) {
    const problem = isExpired ? 'has expired' : 'is not valid';
    throw unauthorizedError(`The viewer token ${problem}.`, 'viewer_token_invalid', cause);
  }
  const message = 'The public keys of viewer tokens could not be loaded.';
  throw new ConnectError('unavailable', message, { cause, retryAfterSeconds: 5 });
}

const isTokenError = (cause: unknown) =>
  cause instanceof errors.JWTClaimValidationFailed ||
  cause instanceof errors.JWTInvalid ||
  cause instanceof errors.JWSInvalid ||
  cause instanceof errors.JWSSignatureVerificationFailed ||
  cause instanceof errors.JOSEAlgNotAllowed ||
  cause instanceof errors.JOSENotSupported ||
  cause instanceof errors.JWKSNoMatchingKey ||
  cause instanceof errors.JWKSMultipleMatchingKeys;
