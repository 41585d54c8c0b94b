import { StripeError } from './stripe-error.ts';

/**
 * Processes one request for a payment intent at a time, as Stripe does. If a browser confirms a
 * card while another confirmation runs, it gets the error `lock_timeout`. A server's request waits.
 */
export class IntentLocks {
  readonly #held = new Map<string, Promise<unknown>>();

  /** @throws {StripeError} 429 `lock_timeout` */
  async run<Result>(
    id: string,
    { shouldWait }: { shouldWait: boolean },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const previous = this.#held.get(id);
    if (previous && !shouldWait) throw lockTimeout();
    const current = (async () => {
      await previous;
      return await work();
    })();
    const currentEnded = current.catch(() => undefined);
    this.#held.set(id, currentEnded);
    try {
      return await current;
    } finally {
      if (this.#held.get(id) === currentEnded) this.#held.delete(id);
    }
  }
}

const lockTimeout = () =>
  new StripeError(429, {
    type: 'invalid_request_error',
    code: 'lock_timeout',
    message:
      'This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this error intermittently, retry the request. If you see this error frequently and are making multiple concurrent requests to a single object, make your requests serially or at a lower rate.',
  });
