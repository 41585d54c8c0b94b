import { ConnectError } from '@connect-embed/contract';

/** The logger interface of this server; pino satisfies it. */
export interface Log {
  info(entry: object, message: string): void;
  warn(entry: object, message: string): void;
  error(entry: object, message: string): void;
}

/** The default logger, which writes nothing. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };

/** Describes an error for the log, with all given secrets redacted from its text. */
export function describeError(
  error: unknown,
  ...secrets: (string | undefined)[]
): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  let text = error.stack ?? `${error.name}: ${error.message}`;
  for (const secret of secrets) if (secret) text = text.replaceAll(secret, '[secret]');
  const requestId = error instanceof ConnectError ? error.requestId : undefined;
  return {
    error: text,
    ...(requestId !== undefined && { api_request_id: requestId }),
    ...(error.cause !== undefined && { cause: describeError(error.cause, ...secrets) }),
  };
}
