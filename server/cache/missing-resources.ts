import { ConnectError } from '@connect-embed/contract';
import type { Log } from '../log.ts';

/**
 * Returns a function that recognizes resources that the API does not have for this server: the API is older, or
 * the credential lacks the scope. It logs once how to get them.
 */
export function missingResourceCheck(log: Log) {
  let isLogged = false;
  return (error: unknown, resource: string): boolean => {
    const cause =
      error instanceof ConnectError && error.cause instanceof ConnectError && error.cause;
    const { type } = (cause || error) as Partial<ConnectError>;
    if (type === 'insufficient_scope' && !isLogged) {
      isLogged = true;
      const message =
        'the API key has no scope reference:read, so settings of the dashboard cannot be used';
      log.warn({ list: resource }, message);
    }
    return type === 'insufficient_scope' || type === 'not_found';
  };
}
