import { networkPrefix } from '@connect-embed/contract/client-address';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { hashToken } from '../id.ts';

const WINDOW_SECONDS = 15 * 60;
/** Wrong passwords for one account from all browsers that have never signed in to it, together. */
const OF_ACCOUNT = { points: 10, duration: WINDOW_SECONDS, keyPrefix: 'sign_in' };
/** Wrong passwords for one account from one browser that has signed in to it before. */
const OF_DEVICE = { points: 10, duration: WINDOW_SECONDS, keyPrefix: 'sign_in_device' };
/** Wrong passwords and codes from one client address, whatever the account; an office may share one. */
const OF_ADDRESS = { points: 30, duration: WINDOW_SECONDS, keyPrefix: 'sign_in_address' };
/** Wrong passwords and codes of a person who is signed in and confirms a change. */
const OF_PERSON = { points: 10, duration: WINDOW_SECONDS, keyPrefix: 'confirm' };
/** A code of an authenticator app is good for 90 seconds, and for one use (RFC 6238, 5.2). */
const OF_CODE = { points: 1, duration: 120, keyPrefix: 'code' };
/** Links to choose a new password that are mailed to one account in an hour, or asked for by one client. */
const RESETS_OF_ACCOUNT = { points: 3, duration: 3600, keyPrefix: 'reset' };
const RESETS_OF_ADDRESS = { points: 20, duration: 3600, keyPrefix: 'reset_address' };

/** Who tries to sign in. */
export interface Attempt {
  email: string;
  /** Where it is known. */
  address: string | undefined;
  /** Of a browser that has signed in to this account before: `pages/device-cookie.ts`. */
  device: string | undefined;
}

/** One attempt, counted before it is made: attempts at once cannot pass the limit together. */
export interface Counted {
  /** Seconds to wait; 0 when the attempt may be made. */
  wait: number;
  /** The attempt was a right one. */
  forgive(): Promise<void>;
}

export type SignInAttempts = ReturnType<typeof openSignInAttempts>;

/**
 * Counts attempts in the database, so that every process knows them: docs/decisions/0084-sign-in-limits.md
 */
export function openSignInAttempts(pool: Pool) {
  const accounts = openLimit(pool, OF_ACCOUNT);
  const devices = openLimit(pool, OF_DEVICE);
  const addresses = openLimit(pool, OF_ADDRESS);
  const persons = openLimit(pool, OF_PERSON);
  const codes = openLimit(pool, OF_CODE);
  const resets = openLimit(pool, RESETS_OF_ACCOUNT);
  const resetAddresses = openLimit(pool, RESETS_OF_ADDRESS);

  /** From one client, to any account. A right attempt takes back itself and no other. */
  const ofAddress = async (address: string | undefined): Promise<Counted> => {
    if (address === undefined) return { wait: 0, forgive: async () => undefined };
    const key = networkPrefix(address);
    return { wait: await addresses.take(key), forgive: () => addresses.giveBack(key) };
  };

  return {
    /** A password of somebody who signs in. */
    async signIn({ email, address, device }: Attempt): Promise<Counted> {
      if (device !== undefined && (await devices.take(device)) === 0) {
        return { wait: 0, forgive: () => devices.clear(device) };
      }
      // A device that has used up its attempts is treated like an unknown browser.
      const client = await ofAddress(address);
      if (client.wait > 0) return client;
      const account = normalized(email);
      const wait = await accounts.take(account);
      const forgive = async () =>
        void (await Promise.all([client.forgive(), accounts.clear(account)]));
      return { wait, forgive };
    },

    /** A code of somebody who signs in; the library counts by account. */
    code: ofAddress,

    /** A password or code with which a person who is signed in confirms a change. */
    async confirm(personId: string): Promise<Counted> {
      return { wait: await persons.take(personId), forgive: () => persons.clear(personId) };
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

function openLimit(pool: Pool, rule: typeof OF_ACCOUNT) {
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
