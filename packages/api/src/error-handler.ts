import { ConnectError, invalidRequest } from '@connect-embed/contract';
import { errorHandler } from '@connect-embed/contract/hono';
import type { Context, ErrorHandler, Hono, NotFoundHandler } from 'hono';
import type { Logger } from 'pino';
import { describeError } from './describe-error.ts';
import type { Env } from './env.ts';

/**
 * Turns whatever was thrown into the one error body: docs/decisions/0003-errors.md
 *
 * What is not the caller's doing goes to the log with its cause, and to the caller without.
 */
export function createErrorHandler(
  log: Logger,
  renderErrorPage?: RenderErrorPage,
): ErrorHandler<Env> {
  const report = (error: Error, c: Context<Env>) =>
    log.error({ request_id: c.var.requestId, err: describeError(error) }, 'failed');
  const respond = errorHandler(report as (error: Error, c: Context) => void);
  return (thrown, c) => {
    const error = toConnectError(thrown);
    const known = error instanceof ConnectError ? error : SERVER_ERROR;
    const page = renderErrorPage?.(c, known);
    if (known.status >= 500 && (page || error === known)) report(error, c);
    return page ?? respond(error, c as Context);
  };
}

/** Shows an error to a person who has a browser; undefined where a program asked. */
export type RenderErrorPage = (
  c: Context<Env>,
  error: ConnectError,
) => Promise<Response> | undefined;

const SERVER_ERROR = new ConnectError('server_error', 'Something went wrong on our side.');

/** What can be told of an error that is not ours. */
function toConnectError(thrown: Error & { code?: string }): Error {
  if (isDatabaseUnavailable(thrown)) {
    const message = 'The database cannot be reached at the moment.';
    return new ConnectError('unavailable', message, { cause: thrown, retryAfterSeconds: 1 });
  }
  // The last net below every check of ours: PostgreSQL refuses a NUL in any text, and in JSON.
  const hasNul = thrown.code === '22021' || thrown.code === '22P05';
  return hasNul ? invalidRequest('request', 'contains a NUL character.') : thrown;
}

/** SQLSTATE classes 08 (connection), 53 (resources) and 57P (shutting down), and sockets' own codes. */
function isDatabaseUnavailable(error: Error & { code?: string }): boolean {
  if (error.message === 'timeout exceeded when trying to connect') return true;
  if (error.message.startsWith('Connection terminated')) return true;
  return /^(08|53|57P)|^E(CONN|PIPE|HOSTUNREACH|NOTFOUND)/.test(error.code ?? '');
}

/**
 * Answers a path that exists under another method with 405 and the methods that it has, and any
 * other path with 404.
 */
export function createNotFoundHandler(
  app: Hono<Env>,
  renderErrorPage?: RenderErrorPage,
): NotFoundHandler<Env> {
  const patterns = new Map<string, Set<string>>();
  for (const { method, path } of app.routes) {
    if (method === 'ALL') continue; // middleware
    const methods = patterns.get(path) ?? new Set();
    patterns.set(path, methods.add(method));
    if (method === 'GET') methods.add('HEAD');
  }
  return (c) => {
    const match = [...patterns].find(([pattern]) => matches(pattern, c.req.path));
    const error = match
      ? new ConnectError('method_not_allowed', `${c.req.method} is not possible here.`)
      : new ConnectError('not_found', `Nothing is at ${c.req.path}.`);
    if (match) c.header('Allow', [...match[1]].join(', '));
    return renderErrorPage?.(c, error) ?? c.json(error.toJSON(), error.status);
  };
}

function matches(pattern: string, path: string): boolean {
  const patternParts = pattern.split('/');
  const pathParts = path.split('/');
  return (
    patternParts.length === pathParts.length &&
    patternParts.every((part, index) =>
      part.startsWith(':') ? pathParts[index] !== '' : part === pathParts[index],
    )
  );
}
