import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { Db } from '../db/database.ts';
import { newId } from '../id.ts';
import { deriveSecret } from '../secret.ts';
import { SIGN_IN_TABLES } from './sign-in-tables.ts';

/** A week after signing in, people sign in again. */
const SIGN_IN_SECONDS = 7 * 86_400;
/** Length is what counts (NIST SP 800-63B); no rules about signs. */
export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;
/** A link to choose a new password is good for so long, and once. */
const RESET_SECONDS = 3600;

export interface Person {
  id: string;
  name: string;
  email: string;
}

/** A person who is signed in, and the session that says so. */
export interface SignedIn {
  person: Person;
  sessionId: string;
}

/** Two people cannot sign in with one address. */
export class AddressTaken extends Error {
  override readonly name = 'AddressTaken';

  constructor(email: string) {
    super(`${email} is taken.`);
  }
}

/** A way back in for somebody who forgot their password. */
export interface Reset {
  name: string;
  email: string;
  /** For the link; only its hash is kept. */
  token: string;
}

export type People = ReturnType<typeof openPeople>;

/**
 * People and their sign-in sessions: docs/decisions/0019-users.md
 *
 * Better Auth hashes, signs and checks; its own HTTP routes are not mounted, our pages call it.
 */
export function openPeople(db: Db, { secret, baseUrl }: { secret: string; baseUrl: string }) {
  const resets = new AsyncLocalStorage<(reset: Reset) => void>();
  const auth = betterAuth({
    ...SIGN_IN_TABLES,
    appName: 'Connect',
    baseURL: new URL(baseUrl).origin,
    secret: deriveSecret(secret, 'sign-in'),
    database: { db, type: 'postgres' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true, // People are invited, or made by `npm run connect -- people create`.
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      // The library hands the token to a mailer; ours is whoever asked, see `openReset`.
      sendResetPassword: async ({ user, token }) =>
        resets.getStore()?.({ name: user.name, email: user.email, token }),
    },
    // A dump of the database must not hold links that work.
    verification: { ...SIGN_IN_TABLES.verification, storeIdentifier: 'hashed' },
    session: {
      ...SIGN_IN_TABLES.session,
      expiresIn: SIGN_IN_SECONDS,
      disableSessionRefresh: true,
    },
    rateLimit: { enabled: false }, // sign-in-attempts.ts
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: {
      cookiePrefix: 'connect',
      useSecureCookies: baseUrl.startsWith('https:'),
      database: { generateId: ({ model }) => newId(ID_PREFIX[model] ?? 'sig') },
    },
  });

  return {
    /**
     * @returns the headers that sign the browser in; undefined for an address and password that
     *   do not belong together, with the same delay whether the address exists or not
     */
    async signIn(email: string, password: string, from: Headers): Promise<Headers | undefined> {
      try {
        const headers = only(from, 'user-agent');
        const body = { email, password };
        return (await auth.api.signInEmail({ body, headers, returnHeaders: true })).headers;
      } catch (error) {
        if (error instanceof APIError && error.statusCode < 500) return undefined;
        throw error;
      }
    },

    /** @returns the headers that make the browser forget */
    async signOut(from: Headers): Promise<Headers> {
      const headers = only(from, 'cookie');
      return (await auth.api.signOut({ headers, returnHeaders: true })).headers;
    },

    /** Who the browser is signed in as, asked of the database each time. */
    async whoIs(from: Headers): Promise<SignedIn | undefined> {
      const headers = only(from, 'cookie');
      const found = await auth.api.getSession({ headers });
      if (!found) return undefined;
      const { id, name, email } = found.user;
      return { person: { id, name, email }, sessionId: found.session.id };
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
        const headers = only(from, 'cookie');
        return (await auth.api.changePassword({ body, headers, returnHeaders: true })).headers;
      } catch (error) {
        if (error instanceof APIError && error.statusCode < 500) return undefined;
        throw error;
      }
    },

    /** @returns undefined when nobody has the address */
    async openReset(email: string): Promise<Reset | undefined> {
      let opened: Reset | undefined;
      const body = { email: email.trim().toLowerCase() };
      await resets.run(
        (reset) => (opened = reset),
        () => auth.api.requestPasswordReset({ body }),
      );
      return opened;
    },

    /** Sets another password and ends every sign-in. @returns false when the link is used or too old */
    async resetPassword(token: string, newPassword: string): Promise<boolean> {
      try {
        await auth.api.resetPassword({ body: { token, newPassword } });
        return true;
      } catch (error) {
        if (error instanceof APIError && error.statusCode < 500) return false;
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

const ID_PREFIX: Partial<Record<string, string>> = { user: 'per' };

/** The library is shown what it needs and nothing else. */
function only(headers: Headers, name: string): Headers {
  const value = headers.get(name);
  return new Headers(value === null ? {} : { [name]: value });
}
