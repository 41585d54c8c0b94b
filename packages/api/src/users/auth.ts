import { betterAuth } from 'better-auth';
import type { Db } from '../db/database.ts';
import { newId } from '../id.ts';
import { deriveSecret } from '../secret.ts';
import { openPasswordHashing } from './password-hashing.ts';
import { secondFactorPlugin } from './second-factor-plugin.ts';
import { hashedSessionTokens } from './session-token-hash.ts';
import { SIGN_IN_TABLES } from './sign-in-tables.ts';

/** A week after signing in, people sign in again. */
const SIGN_IN_SECONDS = 7 * 86_400;
/** Length is what counts (NIST SP 800-63B); no rules about signs. */
export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;
/** A link to choose a new password is good for so long, and once. */
const RESET_SECONDS = 3600;

/** A way back in for somebody who forgot their password. */
export interface Reset {
  name: string;
  email: string;
  /** For the link; only its hash is kept. */
  token: string;
}

interface Options {
  secret: string;
  baseUrl: string;
  /** A link to choose a new password was asked for. */
  onReset: (reset: Reset) => void;
  /** A new password was chosen with one. */
  onResetDone: (email: string) => void;
}

export type Auth = ReturnType<typeof openAuth>;

/** Better Auth hashes, signs and checks; its own HTTP routes are not mounted, our pages call it. */
export function openAuth(db: Db, { secret, baseUrl, onReset, onResetDone }: Options) {
  return betterAuth({
    ...SIGN_IN_TABLES,
    appName: 'Connect',
    baseURL: new URL(baseUrl).origin,
    secret: deriveSecret(secret, 'sign-in'),
    database: hashedSessionTokens(db),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true, // People are invited, or made by `npm run connect -- people create`.
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      password: openPasswordHashing(),
      onPasswordReset: async ({ user }) => onResetDone(user.email),
      // The library hands the token to a mailer; ours is whoever asked, see `openReset`.
      sendResetPassword: async ({ user, token }) =>
        onReset({ name: user.name, email: user.email, token }),
    },
    // A dump of the database must not hold links that work.
    verification: { ...SIGN_IN_TABLES.verification, storeIdentifier: 'hashed' },
    session: {
      ...SIGN_IN_TABLES.session,
      expiresIn: SIGN_IN_SECONDS,
      disableSessionRefresh: true,
    },
    plugins: [secondFactorPlugin()],
    rateLimit: { enabled: false }, // sign-in-attempts.ts
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: {
      cookiePrefix: 'connect',
      useSecureCookies: baseUrl.startsWith('https:'),
      database: { generateId: ({ model }) => newId(ID_PREFIX[model] ?? 'sig') },
    },
  });
}

const ID_PREFIX: Partial<Record<string, string>> = { user: 'per' };
