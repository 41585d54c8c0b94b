/**
 * The URL of the server, without a slash at the end.
 *
 * An explicit address is resolved against the page's URL, like a link. Without one it is the folder
 * that the script was loaded from, without the folder of an immutable version
 * (`/v1.2.3/connect.js`).
 *
 * @throws {TypeError} if `address` is not a valid URL, or both arguments are missing
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

let ownScriptUrl: string | undefined;

/** Sets the URL of the script. Each bundle calls it once. */
export const setScriptUrl = (url: string) => {
  ownScriptUrl = url;
};

/** The URL of the script, from which the default server is derived. */
export const getScriptUrl = () => ownScriptUrl ?? new URL('/connect/', document.baseURI).href;
