import { ConnectError } from '@connect-embed/contract/error';

/**
 * Logs why an element could not load its data. If its server cannot be reached, a second line explains
 * the cause to the owner of the page.
 *
 * @param tag start of the lines: `<connect-goal>`
 * @param server URL of the server (BFF); undefined if the request was not one to the server
 */
export async function logLoadError(tag: string, error: unknown, server?: string) {
  console.error(tag, error);
  if (!server || !isUnexplained(error)) return;
  try {
    const { explainUnreachable } = await import('./explain-unreachable.ts');
    console.error(tag, await explainUnreachable(server));
  } catch {
    // The explanation is loaded from the same server.
  }
}

/** True without a response, and if something else than a Connect server has responded. */
const isUnexplained = (error: unknown) =>
  error instanceof ConnectError && (!!error.cause || error.code === 'server_not_found');
