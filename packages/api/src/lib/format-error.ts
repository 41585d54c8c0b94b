/**
 * Formats an error and its causes as one line for a terminal.
 *
 * Node's network errors have an empty message if several addresses failed; the error's code replaces
 * an empty message.
 */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const message = error.message || code || error.name;
  return error.cause === undefined ? message : `${message} ${formatError(error.cause)}`;
}
