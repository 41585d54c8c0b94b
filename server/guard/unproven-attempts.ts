/** Maximum number of requests without a proof of work that wait for the API at a time, on each form. */
const MAX_PENDING = 20;
/** How long one attempt may check whether the API accepts attempts again; meanwhile all others need a proof. */
const PROBE_INTERVAL_MS = 10_000;
/** How long an address needs proofs after the API has rejected it. */
const ADDRESS_BLOCK_MS = 60_000;
/** Maximum number of rejected addresses in memory; an evicted address costs one more API request. */
const MAX_KEYS = 20_000;

interface UnprovenAttempt {
  form: string;
  address: string | undefined;
}

/**
 * Caches for which forms and addresses the API accepts no more attempts without a proof of work. An
 * attack then uses few API requests; attackers share the API's rate limit with honest donors.
 *
 * The API counts in its database. This server only caches the API's last response. After a restart
 * it learns the state again from its first requests: docs/decisions/0047-card-testing.md
 */
export class UnprovenAttempts {
  readonly #now: () => number;
  readonly #proofRequiredUntil = new Map<string, number>();
  readonly #pending = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  needsProof(attempt: UnprovenAttempt): boolean {
    return keysOf(attempt).some((key) => (this.#proofRequiredUntil.get(key) ?? 0) > this.#now());
  }

  /**
   * Decides whether an attempt without a proof may be sent to the API.
   *
   * @returns a function to call with the API's response; undefined if a proof is needed
   */
  start(
    attempt: UnprovenAttempt,
  ): ((response: Rejection | 'accepted' | 'failed') => void) | undefined {
    const pending = this.#pending.get(attempt.form) ?? 0;
    if (pending >= MAX_PENDING || this.needsProof(attempt)) return undefined;
    // If the block has just expired, this attempt probes whether the API still requires a proof.
    for (const key of keysOf(attempt)) {
      if (this.#proofRequiredUntil.has(key))
        this.#proofRequiredUntil.set(key, this.#now() + PROBE_INTERVAL_MS);
    }
    this.#pending.set(attempt.form, pending + 1);
    return (response) => {
      const remainingPending = (this.#pending.get(attempt.form) ?? 1) - 1;
      if (remainingPending > 0) this.#pending.set(attempt.form, remainingPending);
      else this.#pending.delete(attempt.form);
      if (response === 'accepted')
        for (const key of keysOf(attempt)) this.#proofRequiredUntil.delete(key);
      else if (response !== 'failed') this.#recordRejection(attempt, response);
    };
  }

  #recordRejection({ form, address }: UnprovenAttempt, { proofRequiredUntilMs }: Rejection): void {
    if (proofRequiredUntilMs !== undefined)
      this.#proofRequiredUntil.set(formKey(form), proofRequiredUntilMs);
    else if (address !== undefined) {
      if (this.#proofRequiredUntil.size >= MAX_KEYS) this.#evict();
      this.#proofRequiredUntil.set(addressKey(address), this.#now() + ADDRESS_BLOCK_MS);
    }
  }

  /** Removes expired entries, or the oldest one if none has expired. */
  #evict(): void {
    for (const [key, until] of this.#proofRequiredUntil) {
      if (until <= this.#now()) this.#proofRequiredUntil.delete(key);
    }
    const [oldest] = this.#proofRequiredUntil.keys();
    if (this.#proofRequiredUntil.size >= MAX_KEYS && oldest)
      this.#proofRequiredUntil.delete(oldest);
  }
}

/**
 * The API requires a proof: on the whole form until `proofRequiredUntilMs`, or for this address if that is
 * undefined.
 */
export interface Rejection {
  proofRequiredUntilMs: number | undefined;
}

const formKey = (form: string) => `form ${form}`;
const addressKey = (address: string) => `address ${address}`;
const keysOf = ({ form, address }: UnprovenAttempt) =>
  address === undefined ? [formKey(form)] : [formKey(form), addressKey(address)];
