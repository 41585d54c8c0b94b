/** Why a mail did not leave, in codes only: what a mail server says usually repeats the address. */
export function mailErrorCode(error: unknown): string {
  const { code, responseCode, name } = error as { [key: string]: string | number | undefined };
  return [name, code, responseCode].filter(Boolean).join(' ');
}
