import type { Bytes, PageDeps } from '@connect-embed/server/pages';

/** An image of the API: the logo of an organization, or the picture of a page. */
export interface ApiImage {
  /** Media type, such as `image/png`. */
  type: string;
  content: Bytes;
}

/** Image formats that the API has. */
const TYPES = ['image/png', 'image/jpeg', 'image/webp'];
/** Largest image that is loaded. Those that the API has are smaller. */
const MAX_BYTES = 2 * 1024 * 1024;
const TIMEOUT_MS = 5000;

/**
 * Loads an image from the API.
 *
 * @param url public address of the image. Only its path is used, because this server may reach the API at
 * another address than browsers do.
 * @returns undefined if it is no image of a known format, or cannot be loaded
 */
export async function loadImage(
  { apiBase, fetch }: Pick<PageDeps['config'], 'apiBase' | 'fetch'>,
  url: string,
): Promise<ApiImage | undefined> {
  const { pathname, search } = new URL(url);
  const address = new URL(apiBase).origin + pathname + search;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(address, { method: 'GET', signal, redirect: 'error' });
    const type = response.headers.get('content-type') ?? '';
    const announcedBytes = Number(response.headers.get('content-length') ?? 0);
    if (!response.ok || !TYPES.includes(type) || announcedBytes > MAX_BYTES) {
      await response.body?.cancel();
      return undefined;
    }
    const content = new Uint8Array(await response.arrayBuffer());
    return content.length > MAX_BYTES ? undefined : { type, content };
  } catch {
    return undefined;
  }
}
