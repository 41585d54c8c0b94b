import { probeServer } from './probe-server.ts';

/**
 * Explains to the owner of the page why a request to the server failed. A script cannot distinguish a
 * rejected origin, a wrong address and a server that is down. Fetching the server's own script, which
 * every origin may read, tells them apart.
 */
export async function explainUnreachable(server: string): Promise<string> {
  if (globalThis.origin === 'null') {
    return `${server} accepts only pages with an origin. This page has none: it was opened as a file or in a sandboxed frame. Open it over HTTP, or add allow-same-origin to the frame's sandbox attribute.`;
  }
  const status = await probeServer(server, 'cors');
  // 503: the server is right, but its scripts have not been built.
  if (status === 200 || status === 503) {
    return `${server} does not allow this origin: add "${origin}" under “Allowed sites” in the dashboard, to "origins" in connect.config.ts, or to ALLOWED_ORIGINS. A WordPress site can ask for it under Settings › Connect Embed.`;
  }
  if (status !== undefined || (await probeServer(server, 'no-cors')) !== undefined) {
    return `${server} is not a Connect server: ${server}/connect.js was not found. Check the server URL.`;
  }
  return `${server} cannot be reached. Check the URL, that the server is running, and connect-src in this page's Content-Security-Policy.`;
}
