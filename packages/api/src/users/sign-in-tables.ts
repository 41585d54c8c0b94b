import type { BetterAuthOptions } from 'better-auth';

const TIMES = { createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/** Our names for Better Auth's tables and columns: `db/schema.sql`. */
export const SIGN_IN_TABLES = {
  user: {
    modelName: 'person',
    fields: { emailVerified: 'email_verified', ...TIMES },
  },
  session: {
    modelName: 'sign_in_session',
    fields: {
      userId: 'person_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      ...TIMES,
    },
  },
  account: {
    modelName: 'sign_in_method',
    fields: {
      userId: 'person_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      ...TIMES,
    },
  },
  verification: {
    modelName: 'sign_in_verification',
    fields: { expiresAt: 'expires_at', ...TIMES },
  },
} as const satisfies BetterAuthOptions;
