import { ConnectError } from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import {
  ATTACK_LEVEL,
  challengeLevel,
  SHARED_MAX_LEVEL,
} from '@connect-embed/contract/challenge-level';
import {
  PROOF_ITERATIONS,
  proofRequired,
  ProofOfWork,
  HONEYPOT_LEVEL,
  type DonationChallenge,
} from '@connect-embed/contract/proof-of-work';
import type { Pool } from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';

/** Tries that are free, in ten minutes: as on the server that others put before us. */
const FREE = { address: 20, session: 150, organization: 300 } as const;
const WINDOW_SECONDS = 600;
/** A hall of guests shares one address; long before this each of their gifts costs some work. */
const MOST_OF_ADDRESS = 600;

/** One gift that is asked for with an embed session alone. */
export interface SessionGift {
  session: string;
  organization: string;
  /** Undefined where nobody tells it. */
  address: string | undefined;
  idempotencyKey: string | undefined;
  /** Cards are being tested on forms of the organization. */
  attacked: boolean;
}

export type SessionGuard = ReturnType<typeof openSessionGuard>;

/**
 * Stands before the processor where no server of the owner's does: on hosted pages, and before whoever
 * holds an embed session's token. Counted in the database: any number of processes are one guard.
 *
 * docs/decisions/0047-card-testing.md
 */
export function openSessionGuard({ pool, secret }: { pool: Pool; secret: string }) {
  const proofs = new ProofOfWork({ secret, iterations: PROOF_ITERATIONS, now: Date.now });
  const tries = new RateLimiterPostgres({
    storeClient: pool,
    tableName: 'rate_limit',
    tableCreated: true,
    keyPrefix: 'gift',
    points: MOST_OF_ADDRESS,
    duration: WINDOW_SECONDS,
  });

  /** Counts one try. @returns how hard it is being tried, and when that is forgotten */
  async function count({ session, organization, address, attacked }: SessionGift) {
    const [ofSession, ofOrganization, ofAddress] = await Promise.all([
      tries.penalty(session, 1),
      tries.penalty(organization, 1),
      address === undefined ? undefined : tries.penalty(networkPrefix(address), 1),
    ]);
    const of = (counted: { consumedPoints: number } | undefined, free: number, max?: number) =>
      challengeLevel(counted?.consumedPoints ?? 0, free, max);
    const level = Math.max(
      of(ofAddress, FREE.address),
      of(ofSession, FREE.session, SHARED_MAX_LEVEL),
      of(ofOrganization, FREE.organization, SHARED_MAX_LEVEL),
    );
    const all = [ofSession, ofOrganization, ofAddress].map((counted) => counted?.msBeforeNext ?? 0);
    const seconds = Math.max(1, Math.ceil(Math.max(...all) / 1000));
    if ((ofAddress?.consumedPoints ?? 0) > MOST_OF_ADDRESS) throw tooMany(seconds);
    return { level: Math.max(level, attacked ? ATTACK_LEVEL : 0), tried: level, seconds };
  }

  const purpose = ({ session, idempotencyKey = '' }: SessionGift) => ({
    visitor: session,
    idempotencyKey,
  });

  return {
    /**
     * Lets a gift of a hosted page through, or says what it takes.
     *
     * @returns whether the donor has done the work
     * @throws {ConnectError} `proof_required`, `rate_limited`, or `invalid_request` naming `Proof`
     */
    async admitFromPage(
      gift: SessionGift,
      proof: string | undefined,
      trapped: boolean,
    ): Promise<boolean> {
      const needed = trapped ? HONEYPOT_LEVEL : 1;
      if (proof === undefined) {
        if (trapped || (await count(gift)).level > 0) throw proofRequired();
      } else if ((await proofs.verify(proof, purpose(gift))) < needed) throw proofRequired();
      return proof !== undefined;
    },

    /**
     * Lets a gift through that comes with the session's token and from no page of ours, as far as
     * tries are free: nobody is there who would work. While cards are being tested none is.
     *
     * @param hostedUrl where the same gift can be given: docs/decisions/0054-third-parties.md
     * @throws {ConnectError} `proof_required`, `rate_limited`
     */
    async admitDirect(gift: SessionGift, hostedUrl: string) {
      const { tried, seconds } = await count(gift);
      if (gift.attacked) throw giveThere(hostedUrl);
      if (tried > 0) throw tooMany(seconds, hostedUrl);
    },

    /** What a page has to answer for this gift. Asking counts as trying. */
    async challenge(gift: SessionGift, trapped: boolean): Promise<DonationChallenge> {
      const level = Math.max(1, trapped ? HONEYPOT_LEVEL : 0, (await count(gift)).level);
      return { kind: 'altcha', challenge: await proofs.challenge(purpose(gift), level) };
    },
  };
}

export const tooMany = (seconds: number, hostedUrl?: string) => {
  const there = hostedUrl ? ` This one can be given now at ${hostedUrl}.` : '';
  return new ConnectError(
    'rate_limited',
    `Too many gifts were tried; again in ${seconds} s.${there}`,
    {
      retryAfterSeconds: seconds,
    },
  );
};

export const giveThere = (hostedUrl: string) =>
  new ConnectError(
    'proof_required',
    `Stolen cards are being tried here, so each gift is checked. This one can be given at ${hostedUrl}.`,
  );
