import { ConnectError, type ErrorCodeOf } from '@connect-embed/contract';
import type { Secrets } from '@connect-embed/contract/secrets';
import { errors, SignJWT, type CryptoKey } from 'jose';
import { importSecrets, verifyWithAny } from './verify-with-any.ts';

/** JWT type of session tokens, so that no other token signed with the same key is accepted as one. */
const VISITOR_TYPE = 'connect-visitor+jwt';
const ALGORITHM = 'HS256';

/** JWT type of status tokens, which allow reading the status of one donation only. */
const STATUS_TYPE = 'connect-gift-status+jwt';
/** Lifetime of a status token. After a day a donor can refer to the receipt. */
const STATUS_SECONDS = 24 * 3600;

/** A donation whose status may be read. */
interface DonationLookup {
  intent: string;
  form: string;
  origin: string;
}

/** Claims of a session token. */
export interface Visitor {
  /** A random id, which does not identify a person. */
  id: string;
  form: string;
  /** The version of a form of the dashboard that the page shows. */
  version?: number | undefined;
  /** The end of the publishable key with which the page confirms payments: `endOfKey`. */
  key: string;
  origin: string;
}

/**
 * Signs and verifies the session tokens of pages, each for one visitor, form and origin.
 *
 * Nothing is stored, so any process with the same secret can verify them:
 * docs/decisions/0012-visitor-sessions.md
 */
export class VisitorTokens {
  /** The newest first. */
  readonly #keys: Promise<CryptoKey[]>;
  readonly #now: () => number;

  constructor(secrets: Secrets, now: () => number = Date.now) {
    this.#keys = importSecrets(secrets);
    this.#now = now;
  }

  /**
   * @param expiresAt in milliseconds; rounded down to seconds, so the token never lasts longer
   */
  async sign({ id, ...claims }: Visitor, expiresAt: number): Promise<string> {
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: VISITOR_TYPE })
      .setSubject(id)
      .setExpirationTime(Math.floor(expiresAt / 1000))
      .sign((await this.#keys)[0]!);
  }

  /**
   * @throws {ConnectError} `unauthorized`; the message says if the token has expired, because the
   * page can then renew it
   */
  async verify(authorization: string | undefined, origin: string): Promise<Visitor> {
    const token = parseBearer(authorization);
    if (!token)
      throw unauthorizedError(
        'Authorization: Bearer <session_token> is missing.',
        'credential_missing',
      );
    const visitor = await this.#read(token);
    if (visitor.origin !== origin)
      throw unauthorizedError('The session_token was issued to another origin.');
    return visitor;
  }

  /**
   * Signs a token to read the status of one donation. It outlives the visitor's session, so that a
   * donor who returns from a bank or reloads the page still gets the status.
   */
  async signStatusToken({ intent, form, origin }: DonationLookup): Promise<string> {
    const now = Math.floor(this.#now() / 1000);
    return new SignJWT({ form, origin })
      .setProtectedHeader({ alg: ALGORITHM, typ: STATUS_TYPE })
      .setSubject(intent)
      .setExpirationTime(now + STATUS_SECONDS)
      .sign((await this.#keys)[0]!);
  }

  /**
   * @throws {ConnectError} `unauthorized` unless the token is a status token of this donation and
   * origin
   */
  async verifyStatusToken(
    authorization: string | undefined,
    expected: Omit<DonationLookup, 'form'>,
  ): Promise<DonationLookup> {
    try {
      const { payload } = await verifyWithAny<DonationLookup>(
        parseBearer(authorization) ?? '',
        await this.#keys,
        {
          algorithms: [ALGORITHM],
          typ: STATUS_TYPE,
          subject: expected.intent,
          requiredClaims: ['form', 'origin', 'exp'],
          currentDate: new Date(this.#now()),
        },
      );
      if (payload.origin === expected.origin) return { ...expected, form: payload.form };
    } catch (cause) {
      throw unauthorizedError(
        'The status_token does not belong to this donation, or has expired.',
        'visitor_token_invalid',
        cause,
      );
    }
    throw unauthorizedError('The status_token was issued to another origin.');
  }

  async #read(token: string): Promise<Visitor> {
    try {
      const { payload } = await verifyWithAny<Omit<Visitor, 'id'>>(token, await this.#keys, {
        algorithms: [ALGORITHM],
        typ: VISITOR_TYPE,
        requiredClaims: ['sub', 'form', 'key', 'origin', 'exp'],
        currentDate: new Date(this.#now()),
      });
      const { form, version, key, origin } = payload;
      return { id: payload.sub!, form, version, key, origin };
    } catch (cause) {
      const expired = cause instanceof errors.JWTExpired;
      const problem = expired
        ? 'has expired. Create a new session.'
        : 'was not issued by this server.';
      throw unauthorizedError(`The session_token ${problem}`, 'visitor_token_invalid', cause);
    }
  }
}

/**
 * The end of a publishable key, which is random and tells one key from another. The token is sent with
 * every page view, so it does not contain all 107 characters.
 */
export const endOfKey = (publishableKey: string): string => publishableKey.slice(-16);

/** Returns the token of an `Authorization: Bearer` header (RFC 6750, 2.1). */
export const parseBearer = (authorization: string | undefined): string | undefined =>
  /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1];

export const unauthorizedError = (
  message: string,
  code: ErrorCodeOf<'unauthorized'> = 'visitor_token_invalid',
  cause?: unknown,
) => new ConnectError('unauthorized', message, { code, cause });
