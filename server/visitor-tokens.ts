import { ConnectError } from '@connect-embed/contract';
import { errors, jwtVerify, SignJWT } from 'jose';

/** Marks a token as this server's own, so that no other token of the same key passes for one. */
const VISITOR_TYPE = 'connect-visitor+jwt';
const ALGORITHM = 'HS256';

/** Marks a token that tells what became of one gift, and opens nothing else. */
const STATUS_TYPE = 'connect-gift-status+jwt';
/** A donor who looks back later than this has the receipt. */
const STATUS_SECONDS = 24 * 3600;

/** One gift whose outcome may be asked for. */
export interface DonationLookup {
  intent: string;
  form: string;
  origin: string;
}

/** What a page was given leave for. */
export interface Visitor {
  /** Random; knows nobody. */
  id: string;
  form: string;
  origin: string;
}

/**
 * The tokens that pages get: signed by this server, good for one visitor on one form and origin.
 *
 * Nothing is stored, so any process with the same secret can check them:
 * docs/decisions/0012-visitor-sessions.md
 */
export class VisitorTokens {
  readonly #key: Uint8Array;
  readonly #now: () => number;

  constructor(secret: string, now: () => number = Date.now) {
    this.#key = new TextEncoder().encode(secret);
    this.#now = now;
  }

  /** @param expiresAt milliseconds; a token counts whole seconds and never lasts longer than this */
  sign({ id, form, origin }: Visitor, expiresAt: number): Promise<string> {
    return new SignJWT({ form, origin })
      .setProtectedHeader({ alg: ALGORITHM, typ: VISITOR_TYPE })
      .setSubject(id)
      .setIssuedAt(Math.floor(this.#now() / 1000))
      .setExpirationTime(Math.floor(expiresAt / 1000))
      .sign(this.#key);
  }

  /** @throws {ConnectError} `unauthorized`; an expired token is told apart, for it can be renewed */
  async verify(authorization: string | undefined, origin: string): Promise<Visitor> {
    const token = parseBearer(authorization);
    if (!token) throw unauthorized('Authorization: Bearer with the session_token is missing.');
    const visitor = await this.#read(token);
    if (visitor.origin !== origin)
      throw unauthorized('session_token: was given to another origin.');
    return visitor;
  }

  /**
   * Leave to ask what became of one gift. It outlives the visitor's session, so that a donor who
   * comes back from a bank, or reloads, can still be told.
   */
  signStatusToken({ intent, form, origin }: DonationLookup): Promise<string> {
    const now = Math.floor(this.#now() / 1000);
    return new SignJWT({ form, origin })
      .setProtectedHeader({ alg: ALGORITHM, typ: STATUS_TYPE })
      .setSubject(intent)
      .setExpirationTime(now + STATUS_SECONDS)
      .sign(this.#key);
  }

  /** @throws {ConnectError} `unauthorized` for anything but the leave to ask for this very gift */
  async verifyStatusToken(
    authorization: string | undefined,
    lookup: Omit<DonationLookup, 'form'>,
  ): Promise<DonationLookup> {
    try {
      const { payload } = await jwtVerify<DonationLookup>(
        parseBearer(authorization) ?? '',
        this.#key,
        {
          algorithms: [ALGORITHM],
          typ: STATUS_TYPE,
          subject: lookup.intent,
          requiredClaims: ['form', 'origin', 'exp'],
          currentDate: new Date(this.#now()),
        },
      );
      if (payload.origin === lookup.origin) return { ...lookup, form: payload.form };
    } catch (cause) {
      throw unauthorized('status_token: is not one of this gift, or has expired.', cause);
    }
    throw unauthorized('status_token: was given to another origin.');
  }

  async #read(token: string): Promise<Visitor> {
    try {
      const { payload } = await jwtVerify<Omit<Visitor, 'id'>>(token, this.#key, {
        algorithms: [ALGORITHM],
        typ: VISITOR_TYPE,
        requiredClaims: ['sub', 'form', 'origin', 'exp'],
        currentDate: new Date(this.#now()),
      });
      return { id: payload.sub!, form: payload.form, origin: payload.origin };
    } catch (cause) {
      const expired = cause instanceof errors.JWTExpired;
      const problem = expired ? 'has expired. Open a new session.' : 'is not one of this server.';
      throw unauthorized(`session_token: ${problem}`, cause);
    }
  }
}

/** The token of an `Authorization: Bearer` header (RFC 6750, 2.1). */
export const parseBearer = (authorization: string | undefined): string | undefined =>
  /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1];

export const unauthorized = (message: string, cause?: unknown) =>
  new ConnectError('unauthorized', message, { cause });
