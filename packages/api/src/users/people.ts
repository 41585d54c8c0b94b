import { AsyncLocalStorage } from 'node:async_hooks';
import { APIError } from 'better-auth/api';
import type { Db } from '../db/database.ts';
import { MIN_PASSWORD_LENGTH, openAuth, type PasswordReset } from './auth.ts';
import { openSecondFactor, type UseCode } from './second-factor.ts';

export interface Person {
  id: string;
  name: string;
  email: string;
  /** Two-step sign-in is on. */
  hasSecondFactor: boolean;
}

/** A person who is signed in, and the session that says so. */
export interface SignedInSession {
  person: Person;
  sessionId: string;
}

/** A browser whose password was right. */
export interface PasswordStep {
  cookies: Headers;
  /** Nobody is signed in before a code is entered. */
  needsCode: boolean;
}

/** Two people cannot sign in with one address. */
export class AddressTaken extends Error {
  override readonly name = 'AddressTaken';

  constructor(email: string) {
    super(`${email} is taken.`);
  }
}

interface Options {
  secret: string;
  baseUrl: string;
  /** So that a code of an app is good for one use; not needed where nobody signs in. */
  useCode?: UseCode;
}

export type People = ReturnType<typeof openPeople>;

/**
 * People and their sign-in sessions: docs/decisions/0019-users.md
 */
export function openPeople(db: Db, { secret, baseUrl, useCode = async () => true }: Options) {
  const resets = new AsyncLocalStorage<(reset: PasswordReset) => void>();
  const resetDone = new AsyncLocalStorage<(email: string) => void>();
  const auth = openAuth(db, {
    secret,
    baseUrl,
    onReset: (reset) => resets.getStore()?.(reset),
    onResetDone: (email) => resetDone.getStore()?.(email),
  });

  return {
    secondFactor: openSecondFactor(auth, db, useCode),

    /**
     * @returns the headers that sign the browser in; undefined for an address and password that
     *   do not belong together, with the same delay whether the address exists or not
     */
    async signIn(
      email: string,
      password: string,
      from: Headers,
    ): Promise<PasswordStep | undefined> {
      try {
        const headers = pickHeader(from, 'user-agent');
        const body = { email, password };
        const result = await auth.api.signInEmail({ body, headers, returnHeaders: true });
        return { cookies: result.headers, needsCode: 'twoFactorRedirect' in result.response };
      } catch (error) {
        if (error instanceof APIError && error.statusCode < 500) return undefined;
        throw error;
      }
    },

    /** @returns the headers that make the browser forget */
    async signOut(from: Headers): Promise<Headers> {
      const headers = pickHeader(from, 'cookie');
      return (await auth.api.signOut({ headers, returnHeaders: true })).headers;
    },

    /** Who the browser is signed in as, asked of the database each time. */
    async getSession(from: Headers): Promise<SignedInSession | undefined> {
      const headers = pickHeader(from, 'cookie');
      const found = await auth.api.getSession({ headers });
      if (!found) return undefined;
      const { id, name, email, twoFactorEnabled } = found.user;
      const hasSecondFactor = twoFactorEnabled === true;
      return { person: { id, name, email, hasSecondFactor }, sessionId: found.session.id };
    },

    /**
     * Changes a person's own password; whoever else is signed in as them no longer is.
     *
     * @returns the headers that keep this browser signed in; undefined when the present password is wrong
     */
    async changePassword(
      from: Headers,
      passwords: { current: string; wanted: string },
    ): Promise<Headers | undefined> {
      try {
        const { current: currentPassword, wanted: newPassword } = passwords;
        const body = { currentPassword, newPassword, revokeOtherSessions: true };
        const headers = pickHeader(from, 'cookie');
        return (await auth.api.changePassword({ body, headers, returnHeaders: true })).headers;
      } catch (error) {
        if (error instanceof APIError && error.statusCode < 500) return undefined;
        throw error;
      }
    },

    /** @returns undefined when nobody has the address */
    async requestPasswordReset(email: string): Promise<PasswordReset | undefined> {
      let opened: PasswordReset | undefined;
      const body = { email: email.trim().toLowerCase() };
      await resets.run(
        (reset) => (opened = reset),
        () => auth.api.requestPasswordReset({ body }),
      );
      return opened;
    },

    /**
     * Sets another password and ends every sign-in.
     *
     * @returns whose it is; undefined when the link is used or too old
     */
    async resetPassword(token: string, newPassword: string): Promise<string | undefined> {
      let email: string | undefined;
      try {
        await resetDone.run(
          (of) => (email = of),
          () => auth.api.resetPassword({ body: { token, newPassword } }),
        );
        return email;
      } catch (error) {
        if (error instanceof APIError && error.statusCode < 500) return undefined;
        throw error;
      }
    },

    /** @throws {AddressTaken}; {Error} when the password is too short */
    async create(person: { name: string; email: string; password: string }): Promise<string> {
      if (person.password.length < MIN_PASSWORD_LENGTH) {
        throw new Error(`A password needs at least ${MIN_PASSWORD_LENGTH} characters.`);
      }
      const { internalAdapter, password } = await auth.$context;
      const email = person.email.trim().toLowerCase();
      if (await internalAdapter.findUserByEmail(email)) throw new AddressTaken(email);
      const hash = await password.hash(person.password);
      const { id } = await internalAdapter
        .createUser({ name: person.name, email, emailVerified: true }, { method: 'email-password' })
        .catch((error: unknown) => {
          // Somebody was faster.
          if ((error as { code?: string }).code === '23505') throw new AddressTaken(email);
          throw error;
        });
      const method = { userId: id, accountId: id, providerId: 'credential', password: hash };
      await internalAdapter.linkAccount(method);
      return id;
    },
  };
}

/** The library is shown what it needs and nothing else. */
function pickHeader(headers: Headers, name: string): Headers {
  const value = headers.get(name);
  return new Headers(value === null ? {} : { [name]: value });
}
