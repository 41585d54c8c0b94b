import { APIError } from 'better-auth/api';
import type { Db } from '../db/database.ts';
import type { Auth } from './auth.ts';

/** What became of a code at sign-in. */
export type CodeResult =
  | { kind: 'signed-in'; email: string; cookies: Headers }
  | { kind: 'wrong' }
  /** The password has to be entered again: it was too long ago, or too many codes were wrong. */
  | { kind: 'expired' };

/** Whether a code of the app has not been used before. */
export type UseCode = (personId: string, code: string) => Promise<boolean>;

/** A code of the app has six digits; everything else is taken for a backup code. */
const isAppCode = (code: string) => /^\d{6}$/.test(code);
/** As people type them: with spaces, and in an app's groups of three. */
export const tidyCode = (text: string) => text.replace(/\s+/g, '');

/**
 * Two-step sign-in with an authenticator app (RFC 6238) and backup codes:
 * docs/decisions/0085-two-step-sign-in.md
 */
export function openSecondFactor(auth: Auth, db: Db, useCode: UseCode) {
  /** The library's answer; undefined for what it refuses. */
  async function accepted<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof APIError && error.statusCode < 500) return undefined;
      throw error;
    }
  }

  /** Checks a code of somebody who is signed in. */
  async function confirms(headers: Headers, personId: string, code: string): Promise<boolean> {
    const body = { code };
    if (!isAppCode(code)) {
      const backup = { ...body, disableSession: true };
      return Boolean(await accepted(() => auth.api.verifyBackupCode({ body: backup, headers })));
    }
    if (!(await accepted(() => auth.api.verifyTOTP({ body, headers })))) return false;
    return await useCode(personId, code);
  }

  /** Before a code is checked, for a code counts once: a mistyped password uses up none. */
  const isPassword = async (headers: Headers, password: string): Promise<boolean> =>
    Boolean(await accepted(() => auth.api.verifyPassword({ body: { password }, headers })));

  return {
    /** Checks the second step of a sign-in whose first step left its cookie. */
    async enterCode(from: Headers, text: string): Promise<CodeResult> {
      const request = { body: { code: tidyCode(text) }, headers: challengeOf(from) };
      const { code } = request.body;
      try {
        const { headers: cookies, response } = isAppCode(code)
          ? await auth.api.verifyTOTP({ ...request, returnHeaders: true })
          : await auth.api.verifyBackupCode({ ...request, returnHeaders: true });
        const { id, email } = response.user;
        if (isAppCode(code) && !(await useCode(id, code))) {
          const { internalAdapter } = await auth.$context;
          if (response.token) await internalAdapter.deleteSession(response.token);
          return { kind: 'expired' };
        }
        return { kind: 'signed-in', email, cookies };
      } catch (error) {
        if (!(error instanceof APIError) || error.statusCode >= 500) throw error;
        const reason = error.body?.code;
        return { kind: reason && WRONG.has(reason) ? 'wrong' : 'expired' };
      }
    },

    /**
     * Begins to set it up: makes a secret, which counts once a code confirms it.
     *
     * @returns the address that an authenticator app reads; undefined when the password is wrong
     */
    async begin(from: Headers, password: string): Promise<string | undefined> {
      const headers = cookiesOf(from);
      const made = await accepted(() => auth.api.enableTwoFactor({ body: { password }, headers }));
      return made && 'totpURI' in made ? made.totpURI : undefined;
    },

    /**
     * Turns it on. Every other session of the person ends: it was begun with a password alone.
     *
     * @returns the cookies of the new session, and the backup codes; undefined when the code is wrong
     */
    async confirm(from: Headers, personId: string, text: string) {
      const code = tidyCode(text);
      if (!isAppCode(code)) return undefined;
      const headers = cookiesOf(from);
      const before = await db
        .selectFrom('sign_in_session')
        .select('id')
        .where('person_id', '=', personId)
        .execute();
      const answer = await accepted(() =>
        auth.api.verifyTOTP({ body: { code }, headers, returnHeaders: true }),
      );
      if (!answer) return undefined;
      await useCode(personId, code);
      const ended = before.map(({ id }) => id);
      await db.deleteFrom('sign_in_session').where('id', 'in', ended).execute();
      const { backupCodes } = await auth.api.viewBackupCodes({ body: { userId: personId } });
      return { cookies: answer.headers, backupCodes };
    },

    /** @returns new backup codes, in place of the old; undefined when the password or code is wrong */
    async renewBackupCodes(from: Headers, personId: string, password: string, text: string) {
      const headers = cookiesOf(from);
      if (!(await isPassword(headers, password))) return undefined;
      if (!(await confirms(headers, personId, tidyCode(text)))) return undefined;
      const body = { password };
      return (await accepted(() => auth.api.generateBackupCodes({ body, headers })))?.backupCodes;
    },

    /** Turns it off. @returns the cookies of the new session; undefined when the password or code is wrong */
    async turnOff(from: Headers, personId: string, password: string, text: string) {
      const headers = cookiesOf(from);
      if (!(await isPassword(headers, password))) return undefined;
      if (!(await confirms(headers, personId, tidyCode(text)))) return undefined;
      const body = { password };
      const answer = await accepted(() =>
        auth.api.disableTwoFactor({ body, headers, returnHeaders: true }),
      );
      return answer?.headers;
    },
  };
}

const WRONG = new Set(['INVALID_CODE', 'INVALID_BACKUP_CODE']);

const CHALLENGE = /^(__Secure-)?connect\.two_factor=/;

const cookiesOf = (from: Headers) => new Headers({ cookie: from.get('cookie') ?? '' });

/** The cookie of the first step alone: the library would take a session beside it for the person's. */
function challengeOf(from: Headers): Headers {
  const cookies = (from.get('cookie') ?? '').split(/; */).filter((each) => CHALLENGE.test(each));
  return new Headers({ cookie: cookies.join('; ') });
}

/** Whether the browser has entered a password, and no code yet. */
export const hasChallenge = (from: Headers) => challengeOf(from).get('cookie') !== '';

/** For somebody who has lost the app and the backup codes: turns it off and ends every session. */
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
