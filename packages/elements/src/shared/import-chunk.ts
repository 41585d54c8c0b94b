import { ConnectError } from '@connect-embed/contract/error';
import { probeServer } from './probe-server.ts';
import { getScriptUrl, serverAddress } from './server-address.ts';

/**
 * Imports a part of the script on demand.
 *
 * A release may remove the parts of the one before it, which open pages still request. Imports fail
 * without a reason, so a request to the server tells that from a broken connection.
 *
 * @example await importChunk(() => import('./donation-flow.ts'))
 * @throws {ConnectError} `not_found` / `page_expired` if the server responds but the part is missing;
 *   `unavailable` without a response
 */
export async function importChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const status = await probeServer(serverAddress(null, getScriptUrl()), 'cors');
    if (status === undefined || status >= 500)
      throw new ConnectError('unavailable', 'The server of the script cannot be reached.', {
        cause,
      });
    // Once more, in case that only one request failed.
    return await load().catch(() => {
      const message = 'A part of the script no longer exists. The page is older than the server.';
      throw new ConnectError('not_found', message, { code: 'page_expired', cause });
    });
  }
}
