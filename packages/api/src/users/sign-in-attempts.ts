import { networkPrefix } from '@connect-embed/contract/client-address';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { hashToken } from '../id.ts';

const WINDOW_SECONDS = 15 * 60;
/** Wrong passwords for one account from all browsers that have never signed in to it, together. */
const ACCOUNT_LIMIT = { points: 10, duration: WINDOW_SECONDS, keyPrefix: 'sign_in' };
/** Wrong passwords for one account from one browser that has signed in to it before. */
const DEVICE_LIMIT = { points: 10, duration: WINDOW_SECONDS, keyPrefix: 'sign_in_device' };
/** Wrong passwords and codes from one client address, whatever the account; an office may share one. */
const ADDRESS_LIMIT = { points: 30, duration: WINDOW_SECONDS, keyPrefix: 'sign_in_address' };
/** Wrong passwords and codes of a person who is signed in and confirms a change. */
const PERSON_LIMIT = { points: 10, duration: WINDOW_SECONDS, keyPrefix: 'confirm' };
/** A code of an authenticator app is good for 90 seconds, and for one use (RFC 6238, 5.2). */
const CODE_REUSE_LIMIT = { points: 1, duration: 120, keyPrefix: 'code' };
/** Links to choose a new password that are mailed to one account in an hour, or asked for by one client. */
const ACCOUNT_RESET_LIMIT = { points: 3, duration: 3600, keyPrefix: 'reset' };
const ADDRESS_RESET_LIMIT = { points: 20, duration: 3600, keyPrefix: 'reset_address' };

/** Who tries to sign in. */
export interface SignInAttempt {
  email: string;
  /** Where it is known. */
  address: string | undefined;
  /** Of a browser that has signed in to this account before: `pages/device-cookie.ts`. */
  device: string | undefined;
}

/** One attempt, counted before it is made: attempts at once cannot pass the limit together. */
export interface CountedAttempt {
  /** Seconds to wait; 0 when the attempt may be made. */
  waitSeconds: number;
  /** The attempt was a right one. */
  markSucceeded(): Promise<void>;
}

export type SignInAttempts = ReturnType<typeof openSignInAttempts>;

/**
 * Counts attempts in the database, so that every process knows them: docs/decisions/0084-sign-in-limits.md
 */
export function openSignInAttempts(pool: Pool) {
  const accounts = openLimit(pool, ACCOUNT_LIMIT);
  const devices = openLimit(pool, DEVICE_LIMIT);
  const addresses = openLimit(pool, ADDRESS_LIMIT);
  const persons = openLimit(pool, PERSON_LIMIT);
  const codes = openLimit(pool, CODE_REUSE_LIMIT);
  const resets = openLimit(pool, ACCOUNT_RESET_LIMIT);
  const resetAddresses = openLimit(pool, ADDRESS_RESET_LIMIT);

  /** From one client, to any account. A right attempt takes back itself and no other. */
  const countByAddress = async (address: string | undefined): Promise<CountedAttempt> => {
    if (address === undefined) return { waitSeconds: 0, markSucceeded: async () => undefined };
    const key = networkPrefix(address);
    return { waitSeconds: await addresses.take(key), markSucceeded: () => addresses.giveBack(key) };
  };

  return {
    /** A password of somebody who signs in. */
    async signIn({ email, address, device }: SignInAttempt): Promise<CountedAttempt> {
      if (device !== undefined && (await devices.take(device)) === 0) {
        return { waitSeconds: 0, markSucceeded: () => devices.clear(device) };
      }
      // A device that has used up its attempts is treated like an unknown browser.
      const client = await countByAddress(address);
      if (client.waitSeconds > 0) return client;
      const account = normalized(email);
      const waitSeconds = await accounts.take(account);
      const markSucceeded = async () =>
        void (await Promise.all([client.markSucceeded(), accounts.clear(account)]));
      return { waitSeconds, markSucceeded };
    },

    /** A code of somebody who signs in; the library counts by account. */
    code: countByAddress,

    /** A password or code with which a person who is signed in confirms a change. */
    async confirm(personId: string): Promise<CountedAttempt> {
      return {
        waitSeconds: await persons.take(personId),
        markSucceeded: () => persons.clear(personId),
      };
    },

    /** @returns false for a code that this person has used before */
    useCode: async (personId: string, code: string): Promise<boolean> =>
      (await codes.take(`${personId} ${code}`)) === 0,

    /** A link to choose a new password. @returns whether it may be mailed */
    async reset(email: string, address: string | undefined): Promise<boolean> {
      if (address !== undefined && (await resetAddresses.take(networkPrefix(address))) > 0)
        return false;
      return (await resets.take(normalized(email))) === 0;
    },
  };
}

const normalized = (email: string) => email.trim().toLowerCase();

function openLimit(pool: Pool, rule: typeof ACCOUNT_LIMIT) {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limit',
    tableCreated: true,
    ...rule,
  });
  const keyOf = (text: string) => hashToken(text).toString('base64url');
  return {
    /** @returns seconds to wait; 0 when it was counted and is within the limit */
    async take(text: string): Promise<number> {
      try {
        await limiter.consume(keyOf(text));
        return 0;
      } catch (thrown) {
        if (thrown instanceof RateLimiterRes) return Math.ceil(thrown.msBeforeNext / 1000);
        throw thrown;
      }
    },
    giveBack: async (text: string) => void (await limiter.reward(keyOf(text))),
    clear: async (text: string) => void (await limiter.delete(keyOf(text))),
  };
}
