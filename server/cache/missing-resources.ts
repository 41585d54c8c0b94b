import { ConnectError } from '@connect-embed/contract';
import type { Log } from '../log.ts';

/** Recognizes resources that the API does not have for this server, and logs once how to get them. */
export class MissingResources {
  readonly #log: Log;
  #isLogged = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Whether an error means that the API is older, or that the credential lacks the scope. */
  has(error: unknown, resource: string): boolean {
    const { type } = (
      error instanceof ConnectError && error.cause instanceof ConnectError ? error.cause : error
    ) as Partial<ConnectError>;
    if (type === 'insufficient_scope' && !this.#isLogged) {
      this.#isLogged = true;
      this.#log.warn(
        { list: resource },
        'the API key has no scope reference:read, so settings of the dashboard cannot be used',
      );
    }
    return type === 'insufficient_scope' || type === 'not_found';
  }
}
