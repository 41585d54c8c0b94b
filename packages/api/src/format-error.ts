/**
 * An error in the words of everything that led to it, for a person at a terminal.
 *
 * Node's network errors say nothing themselves when several addresses failed; their code does.
 */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const message = error.message || code || error.name;
  return error.cause === undefined ? message : `${message} ${formatError(error.cause)}`;
}
