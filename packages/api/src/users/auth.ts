import type { Secrets } from '@connect-embed/contract/secrets';
import { betterAuth, type BetterAuthOptions } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { Db } from '../db/schema.ts';
import { newId } from '../lib/id.ts';
import { signInSecrets } from './sign-in-secrets.ts';
import { openPasswordHashing } from './password-hashing.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './password-rules.ts';
import { secondFactorPlugin } from './second-factor-plugin.ts';
import { hashedSessionTokens } from './session-token-hash.ts';
import { SIGN_IN_TABLES } from './sign-in-tables.ts';

/** A session expires a week after sign-in. */
const SIGN_IN_SECONDS = 7 * 86_400;
/** Lifetime of a password-reset link, which can be used once. */
const RESET_SECONDS = 3600;

/** The recipient and the token of a requested password reset. */
export interface PasswordReset {
  name: string;
  email: string;
  /** The token in the link. The database stores only its hash. */
  token: string;
}

interface Options {
  secret: Secrets;
  baseUrl: string;
  /** Called when a password-reset link is requested. */
  onReset: (reset: PasswordReset) => void;
  /** Called when a person has chosen a new password with a reset link. */
  onResetDone: (email: string) => void;
}

/** Options of Better Auth that are the same in every installation. */
const FIXED_OPTIONS = {
  ...SIGN_IN_TABLES,
  appName: 'Connect',
  // Tokens of reset links are stored as hashes, so that a copy of the database contains no
  // working link.
  verification: { ...SIGN_IN_TABLES.verification, storeIdentifier: 'hashed' },
  session: {
    ...SIGN_IN_TABLES.session,
    expiresIn: SIGN_IN_SECONDS,
    disableSessionRefresh: true,
  },
  rateLimit: { enabled: false }, // Rate limiting is in `sign-in-attempts.ts`.
  telemetry: { enabled: false },
  logger: { disabled: true },
} satisfies BetterAuthOptions;

export type Auth = ReturnType<typeof openAuth>;

/**
 * Configures Better Auth, the library that hashes passwords, signs session cookies and checks both.
 * The HTTP routes of the library are not mounted: our pages call its functions.
 */
export function openAuth(db: Db, { secret, baseUrl, onReset, onResetDone }: Options) {
  return betterAuth({
    ...FIXED_OPTIONS,
    baseURL: new URL(baseUrl).origin,
    secrets: signInSecrets(secret),
    database: hashedSessionTokens(db),
    emailAndPassword: {
      enabled: true,
      // People are invited, or created with `connect-embed people create`.
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      password: openPasswordHashing(),
      onPasswordReset: async ({ user }) => onResetDone(user.email),
      // Better Auth expects a function that emails the token. This one passes it to `onReset`, and
      // `requestPasswordReset` returns it to its caller.
      sendResetPassword: async ({ user, token }) =>
        onReset({ name: user.name, email: user.email, token }),
    },
    plugins: [secondFactorPlugin()],
    advanced: {
      cookiePrefix: 'connect',
      useSecureCookies: baseUrl.startsWith('https:'),
      database: { generateId: ({ model }) => newId(ID_PREFIX[model] ?? 'sig') },
    },
  });
}

const ID_PREFIX: Partial<Record<string, string>> = { user: 'per' };

/** Returns the result of a function of Better Auth, or undefined if it rejects the request. */
export async function undefinedIfRejected<Result>(
  operation: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof APIError && error.statusCode < 500) return undefined;
    throw error;
  }
}
