import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { Db } from '../db/database.ts';
import { newId } from '../id.ts';
import { deriveSecret } from '../secret.ts';
import { SIGN_IN_TABLES } from './sign-in-tables.ts';

/** A week after signing in, people sign in again. */
const SIGN_IN_SECONDS = 7 * 86_400;
/** Length is what counts (NIST SP 800-63B); no rules about signs. */
const MIN_PASSWORD_LENGTH = 10;

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

export type People = ReturnType<typeof openPeople>;

/**
 * People and their sign-in sessions: docs/decisions/0019-users.md
 *
 * Better Auth hashes, signs and checks; its own HTTP routes are not mounted, our pages call it.
 */
export function openPeople(db: Db, { secret, baseUrl }: { secret: string; baseUrl: string }) {
  const auth = betterAuth({
    ...SIGN_IN_TABLES,
    appName: 'Connect',
    baseURL: new URL(baseUrl).origin,
    secret: deriveSecret(secret, 'sign-in'),
    database: { db, type: 'postgres' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true, // People are invited: `npm run connect -- people create`.
      minPasswordLength: MIN_PASSWORD_LENGTH,
    },
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

    /** @throws {Error} when the address is taken, or the password too short */
    async create(person: { name: string; email: string; password: string }): Promise<string> {
      if (person.password.length < MIN_PASSWORD_LENGTH) {
        throw new Error(`A password needs at least ${MIN_PASSWORD_LENGTH} characters.`);
      }
      const { internalAdapter, password } = await auth.$context;
      const email = person.email.trim().toLowerCase();
      if (await internalAdapter.findUserByEmail(email)) throw new Error(`${email} is taken.`);
      const hash = await password.hash(person.password);
      const { id } = await internalAdapter.createUser(
        { name: person.name, email, emailVerified: true },
        { method: 'email-password' },
      );
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
