import { twoFactor } from 'better-auth/plugins';

/** Whoever has entered the password has so long to enter the code. */
const CHALLENGE_SECONDS = 600;

/** The library's plugin under our names; its limits of wrong codes at sign-in are its defaults. */
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
