import { ConnectError, type ErrorCodeOf } from '@connect-embed/contract';
import { parseBearer } from '@connect-embed/contract/hono';
import type { Secrets } from '@connect-embed/contract/secrets';
import { base64url, errors } from 'jose';
import { z } from 'zod';
import { SigningKeys } from './signing-keys.ts';

/** Lifetime of a status token. After a day a donor can refer to the receipt. */
const STATUS_SECONDS = 24 * 3600;

/** The types of the two tokens, so that neither is accepted as the other. */
const VISITOR_TYPE = 'connect-visitor+jwt';
const STATUS_TYPE = 'connect-gift-status+jwt';

/** Claims of a token that allows reading the status of one donation only. */
const StatusClaims = z.object({
  /** The id of the payment intent. */
  sub: z.string(),
  form: z.string(),
  origin: z.string(),
});

/** Claims of a session token. */
const VisitorClaims = StatusClaims.extend({
  /** A random id, which does not identify a person. */
  sub: z.string(),
  /** The version of a form of the dashboard that the page shows. */
  version: z.number().optional(),
  /** The end of the publishable key with which the page confirms payments: `endOfKey`. */
  key: z.string(),
});

/** A donation whose status may be read. */
interface DonationLookup {
  intent: string;
  form: string;
  origin: string;
}

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
    const claims = await this.#verify(token, VISITOR_TYPE, VisitorClaims).catch(
      (cause: unknown) => {
        const message =
          cause instanceof errors.JWTExpired
            ? 'The session_token has expired. Create a new session.'
            : 'The session_token was not issued by this server.';
        throw unauthorizedError(message, undefined, cause);
      },
    );
    if (claims.origin !== origin)
      throw unauthorizedError('The session_token was issued to another origin.');
    const { sub: id, form, version, key } = claims;
    return { id, form, version, key, origin };
  }

  /** The token outlives the visitor's session: a donor who returns from a bank still gets the status. */
  async signStatusToken({ intent, ...claims }: DonationLookup): Promise<string> {
    const exp = Math.floor(this.#now() / 1000) + STATUS_SECONDS;
    return await this.#keys.sign({ ...claims, sub: intent, exp }, STATUS_TYPE);
  }

  /** @throws {ConnectError} `unauthorized` unless it is a status token of this donation and origin */
  async verifyStatusToken(
    authorization: string | undefined,
    { intent, origin }: Omit<DonationLookup, 'form'>,
  ): Promise<DonationLookup> {
    const token = parseBearer(authorization) ?? '';
    const claims = await this.#verify(token, STATUS_TYPE, StatusClaims).catch(() => undefined);
    if (claims?.sub !== intent)
      throw unauthorizedError('The status_token does not belong to this donation, or has expired.');
    if (claims.origin !== origin)
      throw unauthorizedError('The status_token was issued to another origin.');
    return { intent, form: claims.form, origin };
  }

  /** @throws {Error} of jose or zod if this server has not issued the token, or it has expired */
  async #verify<Claims extends z.ZodType>(token: string, typ: string, claims: Claims) {
    const currentDate = new Date(this.#now());
    const options = { typ, currentDate, requiredClaims: ['exp'] };
    return claims.parse(await this.#keys.verify(token, options));
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
