/**
 * Where the server answers, without a slash at the end.
 *
 * An explicit address counts from the page, as any link would. Without one it is the folder that
 * the script came from; the folder of an immutable version (`/v1.2.3/connect.js`) is not part of it.
 *
 * @throws {TypeError} when `address` is not a URL, or both are unknown
 */
export function serverAddress(
  address: string | null | undefined,
  scriptUrl: string | undefined,
): string {
  const url = address
    ? new URL(address, document.baseURI).href
    : new URL('.', scriptUrl!).href.replace(/\/v\d[^/]*\/$/, '/');
  return url.replace(/\/+$/, '');
}
