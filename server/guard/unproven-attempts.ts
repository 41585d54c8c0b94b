/** Maximum number of requests without a proof of work that wait for the API at a time, on each form. */
const MAX_PENDING = 20;
/** While one attempt checks whether the API accepts attempts again, the others need a proof. */
const PROBE_MS = 10_000;
/** How long an address needs proofs after the API has rejected it. */
const ADDRESS_MS = 60_000;
/** Maximum number of rejected addresses in memory; an evicted address costs one more API request. */
const MAX_KEYS = 20_000;

/** Origin of an attempt: a form, and the network address if it is known. */
export interface UnprovenAttempt {
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
  readonly #usedUpUntil = new Map<string, number>();
  readonly #pending = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether an attempt needs a proof at present. Changes no state. */
  isUsedUp(attempt: UnprovenAttempt): boolean {
    return keysOf(attempt).some((key) => (this.#usedUpUntil.get(key) ?? 0) > this.#now());
  }

  /**
   * Decides whether an attempt without a proof may be sent to the API.
   *
   * @returns a function to call with the API's response; undefined if a proof is needed
   */
  enter(
    attempt: UnprovenAttempt,
  ): ((response: Rejection | 'accepted' | 'failed') => void) | undefined {
    const pending = this.#pending.get(attempt.form) ?? 0;
    if (pending >= MAX_PENDING || this.isUsedUp(attempt)) return undefined;
    // If the block has just expired, this attempt probes whether the API still requires a proof.
    for (const key of keysOf(attempt)) {
      if (this.#usedUpUntil.has(key)) this.#usedUpUntil.set(key, this.#now() + PROBE_MS);
    }
    this.#pending.set(attempt.form, pending + 1);
    return (response) => {
      const left = (this.#pending.get(attempt.form) ?? 1) - 1;
      if (left > 0) this.#pending.set(attempt.form, left);
      else this.#pending.delete(attempt.form);
      if (response === 'accepted') for (const key of keysOf(attempt)) this.#usedUpUntil.delete(key);
      else if (response !== 'failed') this.#record(attempt, response);
    };
  }

  #record({ form, address }: UnprovenAttempt, { formUntil }: Rejection): void {
    if (formUntil !== undefined) this.#usedUpUntil.set(formKey(form), formUntil);
    else if (address !== undefined) {
      if (this.#usedUpUntil.size >= MAX_KEYS) this.#forget();
      this.#usedUpUntil.set(addressKey(address), this.#now() + ADDRESS_MS);
    }
  }

  /** Removes expired entries, or the oldest one if none has expired. */
  #forget(): void {
    for (const [key, until] of this.#usedUpUntil) {
      if (until <= this.#now()) this.#usedUpUntil.delete(key);
    }
    const [oldest] = this.#usedUpUntil.keys();
    if (this.#usedUpUntil.size >= MAX_KEYS && oldest) this.#usedUpUntil.delete(oldest);
  }
}

/**
 * The API requires a proof: on the whole form until `formUntil`, or for this address if that is
 * undefined.
 */
export interface Rejection {
  formUntil: number | undefined;
}

const formKey = (form: string) => `form ${form}`;
const addressKey = (address: string) => `address ${address}`;
const keysOf = ({ form, address }: UnprovenAttempt) =>
  address === undefined ? [formKey(form)] : [formKey(form), addressKey(address)];
