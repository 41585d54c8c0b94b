/** Long enough for a distant server. Only messages about a failure wait for it. */
const TIMEOUT_MS = 5000;

/**
 * The HTTP status of the server's script, which every origin may read; 0 if the browser hides it
 * (`no-cors`), undefined without a response.
 */
export async function probeServer(server: string, mode: RequestMode): Promise<number | undefined> {
  try {
    const response = await fetch(`${server}/connect.js`, {
      method: 'HEAD',
      mode,
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.status;
  } catch {
    return undefined;
  }
}
