import type { Bytes, PageDeps } from '@connect-embed/server/pages';

/** The logo of an organization. */
export interface Logo {
  /** Media type, such as `image/png`. */
  type: string;
  content: Bytes;
}

/** Image formats that the API accepts as a logo. */
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];
/** Largest logo that is loaded. The API accepts half of it. */
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 5000;

/**
 * Loads a logo from the API.
 *
 * @param url public address of the logo. Only its path is used, because this server may reach the API at
 * another address than browsers do.
 * @returns undefined if it is no image of a known format, or cannot be loaded
 */
export async function loadLogo(
  { apiBase, fetch: sendRequest = fetch }: Pick<PageDeps['config'], 'apiBase' | 'fetch'>,
  url: string,
): Promise<Logo | undefined> {
  const { pathname, search } = new URL(url);
  const address = new URL(apiBase).origin + pathname + search;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await sendRequest(address, { method: 'GET', signal, redirect: 'error' });
    const type = response.headers.get('content-type') ?? '';
    const announcedBytes = Number(response.headers.get('content-length') ?? 0);
    if (!response.ok || !TYPES.includes(type) || announcedBytes > MAX_BYTES) {
      await response.body?.cancel();
      return undefined;
    }
    const content = new Uint8Array(await response.arrayBuffer());
    return content.length > MAX_BYTES ? undefined : { type, content };
  } catch {
    return undefined; // The page shows the first letter of the name.
  }
}
