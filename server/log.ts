/** What this server asks of a logger; pino's is one. */
export interface Log {
  info(entry: object, message: string): void;
  warn(entry: object, message: string): void;
  error(entry: object, message: string): void;
}

/** Without a logger handed in nothing is written: the host of the server decides. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** What may be told of an error: never a credential, wherever it may have got into its text. */
export function describeError(error: unknown, ...secrets: string[]): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  let text = error.stack ?? `${error.name}: ${error.message}`;
  for (const secret of secrets) if (secret) text = text.replaceAll(secret, '[secret]');
  return {
    error: text,
    ...(error.cause !== undefined && { cause: describeError(error.cause, ...secrets) }),
  };
}
