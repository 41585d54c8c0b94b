/**
 * Error codes of a failed email, for the log. The mail server's message is omitted, because it
 * usually contains the recipient's address.
 */
export function mailErrorCode(error: unknown): string {
  const { code, responseCode, name } = error as { [key: string]: string | number | undefined };
  return [name, code, responseCode].filter(Boolean).join(' ');
}
