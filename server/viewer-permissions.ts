import { ConnectError } from '@connect-embed/contract';
import {
  createRemoteJWKSet,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyOptions,
} from 'jose';
import type { Permission, ResolvedConfig, Viewer } from './connect-config.ts';
import { parseBearer, unauthorized } from './visitor-tokens.ts';

/** Signatures that only the holder of a private key can make; never `none`, never a shared secret. */
const PUBLIC_KEY_ALGORITHMS = [
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ...['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
];

const SETUP_HELP =
  'If this is your site, set "authorize" or "viewer" in connect.config.ts, or VIEWER_SECRET.';

/** Says for which components a request may open a session. */
export type PermissionCheck = (request: Request) => Promise<Permission>;

/**
 * Who may see the organization's data: the host's hook decides, else a signed viewer token, else
 * nobody. docs/decisions/0013-viewer-tokens.md
 *
 * Whoever is no viewer sees what is public, where the owner has said what that is; a viewer's token
 * that is no longer valid is refused all the same, so that the page can renew it.
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
      `Nobody may see this organization's data here yet. ${SETUP_HELP}`,
    );
  };
}

function checkViewerToken(viewer: Viewer, now: () => number = Date.now): PermissionCheck {
  const verify = createVerifier(viewer);
  return async (request) => {
    const token = parseBearer(request.headers.get('authorization') ?? undefined);
    if (!token) throw unauthorized('Authorization: Bearer with a viewer token is missing.');
    const payload = await verify(token, new Date(now())).catch(throwTokenError);
    const { components, organization, masks } = payload;
    return {
      // What is no list narrows, too: it does not open everything.
      ...(components !== undefined && { components: [components].flat().map(String) }),
      ...(typeof organization === 'string' && { organization }),
      // As it is: what is no list of masks is refused, and does not unmask.
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
    const key = new TextEncoder().encode(viewer.secret);
    return async (token, currentDate) =>
      (await jwtVerify(token, key, { ...verifyOptions, currentDate, algorithms: ['HS256'] }))
        .payload;
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

/** Keys that cannot be fetched are our trouble, not the viewer's. */
function throwTokenError(cause: unknown): never {
  if (cause instanceof errors.JWTExpired) throw unauthorized('viewer token: has expired.', cause);
  if (isTokenError(cause)) throw unauthorized('viewer token: is not valid here.', cause);
  const message = 'The keys that viewer tokens are checked with cannot be read.';
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
