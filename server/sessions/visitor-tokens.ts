import { ConnectError, type ErrorCodeOf } from '@connect-embed/contract';
import { parseBearer } from '@connect-embed/contract/hono';
import type { Secrets } from '@connect-embed/contract/secrets';
import { base64url, errors } from 'jose';
import { z } from 'zod';
import { SigningKeys } from './signing-keys.ts';

/** The type of the token, so that no other token is accepted as one. */
const VISITOR_TYPE = 'connect-visitor+jwt';

/** Claims of a session token. */
const VisitorClaims = z.object({
  /** A random id, which does not identify a person. */
  sub: z.string(),
  form: z.string(),
  origin: z.string(),
  /** The version of a form of the dashboard that the page shows. */
  version: z.number().optional(),
  /** The end of the publishable key with which the page confirms payments: `endOfKey`. */
  key: z.string(),
});

/** The visitor of a page, as a session token names it. */
export interface Visitor extends Omit<z.infer<typeof VisitorClaims>, 'sub'> {
  id: string;
}

/**
 * Signs and verifies the session tokens of pages, each for one visitor, form and origin.
 *
 * Nothing is stored, so any process with the same secret can verify them:
 * docs/decisions/0012-visitor-sessions.md
 */
export class VisitorTokens {
  readonly #keys: SigningKeys;
  readonly #now: () => number;

  constructor(secrets: Secrets, now: () => number) {
    this.#keys = new SigningKeys(secrets);
    this.#now = now;
  }

  /** @param expiresAt in milliseconds; rounded down to seconds, so the token never lasts longer */
  async sign({ id, ...claims }: Visitor, expiresAt: number): Promise<string> {
    const exp = Math.floor(expiresAt / 1000);
    return await this.#keys.sign({ ...claims, sub: id, exp }, VISITOR_TYPE);
  }

  /** @throws {ConnectError} `unauthorized`; the message says if the token has expired: the page can renew it */
  async verify(authorization: string | undefined, origin: string): Promise<Visitor> {
    const token = parseBearer(authorization);
    if (!token)
      throw unauthorizedError(
        'Authorization: Bearer <session_token> is missing.',
        'credential_missing',
      );
    const claims = await this.#verify(token).catch((cause: unknown) => {
      const message =
        cause instanceof errors.JWTExpired
          ? 'The session_token has expired. Create a new session.'
          : 'The session_token was not issued by this server.';
      throw unauthorizedError(message, undefined, cause);
    });
    if (claims.origin !== origin)
      throw unauthorizedError('The session_token was issued to another origin.');
    const { sub: id, form, version, key } = claims;
    return { id, form, version, key, origin };
  }

  /** @throws {Error} of jose or zod if this server has not issued the token, or it has expired */
  async #verify(token: string) {
    const currentDate = new Date(this.#now());
    const options = { typ: VISITOR_TYPE, currentDate, requiredClaims: ['exp'] };
    return VisitorClaims.parse(await this.#keys.verify(token, options));
  }
}

/** The end of a publishable key tells one key from another, so tokens need not contain all 107 characters. */
export const endOfKey = (publishableKey: string): string => publishableKey.slice(-16);

/** A random id of 96 bits. */
export const newVisitorId = (): string =>
  base64url.encode(crypto.getRandomValues(new Uint8Array(12)));

export const unauthorizedError = (
  message: string,
  code: ErrorCodeOf<'unauthorized'> = 'visitor_token_invalid',
  cause?: unknown,
) => new ConnectError('unauthorized', message, { code, cause });
