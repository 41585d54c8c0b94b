import { twoFactor } from 'better-auth/plugins';

/** Maximum time between entering the password and entering the code, in seconds. */
const CHALLENGE_SECONDS = 600;

/**
 * Better Auth's two-factor plugin with our names of tables and columns. Its default limits for
 * wrong codes apply.
 */
export const secondFactorPlugin = () =>
  twoFactor({
    twoFactorCookieMaxAge: CHALLENGE_SECONDS,
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'sign_in_second_factor',
        fields: {
          userId: 'person_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  });
