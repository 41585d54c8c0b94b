/** As many requests without a proof of work wait for the API at a time, on each form. */
const MAX_PENDING = 20;
/** While one attempt finds out whether there is room again, the others need a proof. */
const PROBE_MS = 10_000;
/** For how long an address needs proofs after the API has rejected it. */
const ADDRESS_MS = 60_000;
/** Rejected addresses that are remembered; of more, each costs one more request to the API. */
const MAX_KEYS = 20_000;

/** Whose attempt it is: a form, and the network address where it is known. */
export interface UnprovenAttempt {
  form: string;
  address: string | undefined;
}

/**
 * Remembers for which forms the API takes no more attempts without a proof of work. An attack then uses few
 * requests to the API, whose rate limit the attacker shares with honest donors.
 *
 * The API counts in its database. This server only remembers the API's last response. After a restart it
 * learns the state again from its first requests: docs/decisions/0082-card-budget.md
 */
export class UnprovenAttempts {
  readonly #now: () => number;
  readonly #usedUpUntil = new Map<string, number>();
  readonly #pending = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes no attempt without a proof at this moment, and changes nothing. */
  isUsedUp(attempt: UnprovenAttempt): boolean {
    return keysOf(attempt).some((key) => (this.#usedUpUntil.get(key) ?? 0) > this.#now());
  }

  /**
   * Decides whether an attempt without a proof may go to the API.
   *
   * @returns a function to call with the API's response; undefined if a proof is needed
   */
  enter(
    attempt: UnprovenAttempt,
  ): ((response: Rejection | 'accepted' | 'failed') => void) | undefined {
    const pending = this.#pending.get(attempt.form) ?? 0;
    if (pending >= MAX_PENDING || this.isUsedUp(attempt)) return undefined;
    // If the budget was used up until now, this attempt finds out whether it still is.
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

  /** First what is over; where that is nothing, the oldest. */
  #forget(): void {
    for (const [key, until] of this.#usedUpUntil) {
      if (until <= this.#now()) this.#usedUpUntil.delete(key);
    }
    const [oldest] = this.#usedUpUntil.keys();
    if (this.#usedUpUntil.size >= MAX_KEYS && oldest) this.#usedUpUntil.delete(oldest);
  }
}

/** The API wants a proof: for everybody on the form until then, or for this address. */
export interface Rejection {
  formUntil: number | undefined;
}

const formKey = (form: string) => `form ${form}`;
const addressKey = (address: string) => `address ${address}`;
const keysOf = ({ form, address }: UnprovenAttempt) =>
  address === undefined ? [formKey(form)] : [formKey(form), addressKey(address)];
