import { ConnectError } from '@connect-embed/contract/error';

/**
 * True if a request got no response and the browser says that it is offline.
 *
 * `navigator.onLine` is false behind some VPNs although requests succeed. So it never prevents a
 * request; it only chooses the words for one that has failed.
 */
export const isOffline = (error: unknown) =>
  error instanceof ConnectError &&
  error.type === 'unavailable' &&
  !!error.cause &&
  !navigator.onLine;
