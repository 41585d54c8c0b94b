import { fatalLine } from '@connect-embed/contract/fatal-line';
import { VERSION } from './version.ts';

/** The logger of a background worker, compatible with pino. */
export interface WorkerLog {
  info(entry: object, message: string): void;
  warn(entry: object, message: string): void;
}

/**
 * Returns the fields of an error that may be logged. PostgreSQL puts the rejected row into `detail`,
 * and Stripe's errors contain the request, so only fields without personal data are copied.
 */
export function describeError(error: Error): object {
  const { cause } = error;
  const { code, constraint, requestId } = error as Error & Record<string, unknown>;
  return {
    type: error.name,
    message: error.message,
    code,
    constraint,
    processor_request_id: requestId,
    stack: error.stack,
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}

/** Pino serializers that log errors with `describeError`. */
export const LOG_SERIALIZERS = {
  err: (error: unknown) => (error instanceof Error ? describeError(error) : error),
};

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

/** Formats an error that ends a process: in production as JSON, otherwise for a terminal. */
export const formatFatal = (error: unknown, service: string, isProduction: boolean): string =>
  fatalLine(isProduction, { service, version: VERSION, msg: formatError(error) });
