import { APIError } from 'better-auth/api';
import type { Db } from '../db/schema.ts';
import { undefinedIfRejected, type Auth } from './auth.ts';

type CodeResult =
  | { kind: 'signed-in'; email: string; cookies: Headers }
  | { kind: 'wrong' }
  /** The password must be entered again, because it was entered too long ago or too many codes were wrong. */
  | { kind: 'expired' };

/** Marks an authenticator code as used. Resolves to false if it was used before. */
export type UseCode = (personId: string, code: string) => Promise<boolean>;

/**
 * Returns whether the input is an authenticator code, which has six digits. Any other input is
 * checked as a backup code.
 */
const isAppCode = (code: string) => /^\d{6}$/.test(code);
/** Removes spaces from a code, because some apps show a code as two groups of three digits. */
const normalizeCode = (text: string) => text.replace(/\s+/g, '');

/**
 * Two-step sign-in with an authenticator app (RFC 6238) and backup codes:
 * docs/decisions/0084-sign-in-security.md
 */
export class SecondFactor {
  readonly #auth: Auth;
  readonly #db: Db;
  readonly #useCode: UseCode;

  constructor(auth: Auth, db: Db, useCode: UseCode) {
    this.#auth = auth;
    this.#db = db;
    this.#useCode = useCode;
  }

  /** Returns whether a correct password was entered in this browser and the code is still required. */
  hasChallenge(from: Headers): boolean {
    return pickChallengeCookie(from).get('cookie') !== '';
  }

  /**
   * Checks the code at sign-in. The cookie that was set after the correct password identifies the
   * person.
   */
  async enterCode(from: Headers, text: string): Promise<CodeResult> {
    const request = { body: { code: normalizeCode(text) }, headers: pickChallengeCookie(from) };
    const { code } = request.body;
    try {
      const { headers: cookies, response } = isAppCode(code)
        ? await this.#auth.api.verifyTOTP({ ...request, returnHeaders: true })
        : await this.#auth.api.verifyBackupCode({ ...request, returnHeaders: true });
      const { id, email } = response.user;
      if (isAppCode(code) && !(await this.#useCode(id, code))) {
        const { internalAdapter } = await this.#auth.$context;
        if (response.token) await internalAdapter.deleteSession(response.token);
        return { kind: 'expired' };
      }
      return { kind: 'signed-in', email, cookies };
    } catch (error) {
      if (!(error instanceof APIError) || error.statusCode >= 500) throw error;
      const reason = error.body?.code;
      return { kind: reason && WRONG_CODE_ERRORS.has(reason) ? 'wrong' : 'expired' };
    }
  }

  /**
   * Starts the setup of an authenticator app: creates a TOTP secret, which takes effect when
   * `confirmSetup` has checked a code of the app.
   *
   * @returns the `otpauth:` URI for an authenticator app; undefined if the password is wrong
   */
  async startSetup(from: Headers, password: string): Promise<string | undefined> {
    const headers = pickCookies(from);
    const result = await undefinedIfRejected(() =>
      this.#auth.api.enableTwoFactor({ body: { password }, headers }),
    );
    return result && 'totpURI' in result ? result.totpURI : undefined;
  }

  /**
   * Turns two-step sign-in on. The person's other sessions end, because they started with a password only.
   *
   * @returns the cookies of the new session and the backup codes; undefined if the code is wrong
   */
  async confirmSetup(from: Headers, personId: string, text: string) {
    const code = normalizeCode(text);
    if (!isAppCode(code)) return undefined;
    const headers = pickCookies(from);
    const sessions = await this.#db
      .selectFrom('sign_in_session')
      .select('id')
      .where('person_id', '=', personId)
      .execute();
    const result = await undefinedIfRejected(() =>
      this.#auth.api.verifyTOTP({ body: { code }, headers, returnHeaders: true }),
    );
    if (!result) return undefined;
    await this.#useCode(personId, code);
    const sessionIds = sessions.map(({ id }) => id);
    await this.#db.deleteFrom('sign_in_session').where('id', 'in', sessionIds).execute();
    const { backupCodes } = await this.#auth.api.viewBackupCodes({ body: { userId: personId } });
    return { cookies: result.headers, backupCodes };
  }

  /**
   * Creates new backup codes, which replace the old ones.
   *
   * @returns undefined if the password or the code is wrong
   */
  async renewBackupCodes(from: Headers, personId: string, password: string, text: string) {
    const headers = pickCookies(from);
    if (!(await this.#isCorrectPassword(headers, password))) return undefined;
    if (!(await this.#isValidCode(headers, personId, normalizeCode(text)))) return undefined;
    const body = { password };
    return (await undefinedIfRejected(() => this.#auth.api.generateBackupCodes({ body, headers })))
      ?.backupCodes;
  }

  /**
   * Turns two-step sign-in off.
   *
   * @returns the cookies of the new session; undefined if the password or the code is wrong
   */
  async disable(from: Headers, personId: string, password: string, text: string) {
    const headers = pickCookies(from);
    if (!(await this.#isCorrectPassword(headers, password))) return undefined;
    if (!(await this.#isValidCode(headers, personId, normalizeCode(text)))) return undefined;
    const body = { password };
    const disableResult = await undefinedIfRejected(() =>
      this.#auth.api.disableTwoFactor({ body, headers, returnHeaders: true }),
    );
    return disableResult?.headers;
  }

  /** Checks a code of a signed-in person. */
  async #isValidCode(headers: Headers, personId: string, code: string): Promise<boolean> {
    const body = { code };
    if (!isAppCode(code)) {
      const backup = { ...body, disableSession: true };
      return Boolean(
        await undefinedIfRejected(() => this.#auth.api.verifyBackupCode({ body: backup, headers })),
      );
    }
    if (!(await undefinedIfRejected(() => this.#auth.api.verifyTOTP({ body, headers }))))
      return false;
    return await this.#useCode(personId, code);
  }

  /** The password is checked before the code, so that a wrong password does not use up a code. */
  async #isCorrectPassword(headers: Headers, password: string): Promise<boolean> {
    return Boolean(
      await undefinedIfRejected(() =>
        this.#auth.api.verifyPassword({ body: { password }, headers }),
      ),
    );
  }
}

const WRONG_CODE_ERRORS = new Set(['INVALID_CODE', 'INVALID_BACKUP_CODE']);

/** The cookie of Better Auth that is set after a correct password, when a code is still required. */
const CHALLENGE_COOKIE = /^(__Secure-)?connect\.two_factor=/;

/**
 * Returns headers with only the cookie that was set after the correct password. With a session
 * cookie in the request, Better Auth would check the code for the person of that session instead.
 */
function pickChallengeCookie(from: Headers): Headers {
  const cookies = (from.get('cookie') ?? '').split(/; */);
  return new Headers({ cookie: cookies.filter((text) => CHALLENGE_COOKIE.test(text)).join('; ') });
}

const pickCookies = (from: Headers) => new Headers({ cookie: from.get('cookie') ?? '' });

/** Turns two-step sign-in off and ends all sessions, for a person who has lost the app and the backup codes. */
export async function resetSecondFactor(db: Db, personId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('sign_in_second_factor').where('person_id', '=', personId).execute();
    await tx.deleteFrom('sign_in_session').where('person_id', '=', personId).execute();
    await tx
      .updateTable('person')
      .set({ two_factor_enabled: false })
      .where('id', '=', personId)
      .execute();
  });
}
