import { ConnectError, invalidRequest, statusOf, type ErrorCode } from '@connect-embed/contract';
import { errorHandler, routeNotFound } from '@connect-embed/contract/hono';
import type { Context, Hono } from 'hono';
import type { Logger } from 'pino';
import { describeError } from '../lib/log.ts';
import type { Env } from './env.ts';

/**
 * Makes an app respond to every thrown error, and to paths without a route, with the error envelope:
 * docs/decisions/0002-specification-gaps.md
 *
 * Server errors (5xx) are logged with their cause, which the response does not contain.
 */
export function handleErrors(
  app: Hono<Env>,
  { log, baseUrl }: ErrorDeps,
  renderErrorPage?: RenderErrorPage,
): Hono<Env> {
  const report = (error: Error, c: Context<Env>) =>
    log.error({ request_id: c.var.requestId, err: describeError(error) }, 'request failed');
  const respond = errorHandler(report as (error: Error, c: Context) => void, createDocUrl(baseUrl));
  const handle = (thrown: Error, c: Context<Env>) => {
    const error = toConnectError(thrown);
    const connectError = error instanceof ConnectError ? error : SERVER_ERROR;
    const page = renderErrorPage?.(c, connectError);
    if (statusOf(connectError) >= 500 && (page || error === connectError)) report(error, c);
    return page ?? respond(error, c as Context);
  };
  return app.onError(handle).notFound((c) => handle(routeNotFound(c as Context), c));
}

interface ErrorDeps {
  log: Logger;
  /** Public URL of this service, which serves the documentation of error codes. */
  baseUrl: string;
}

const createDocUrl = (baseUrl: string) => (code: ErrorCode) => `${baseUrl}/docs/errors#${code}`;

/** Renders an error page for a browser. Returns undefined for other clients, which get JSON. */
export type RenderErrorPage = (
  c: Context<Env>,
  error: ConnectError,
) => Promise<Response> | undefined;

const SERVER_ERROR = new ConnectError('server_error', 'Something went wrong on our side.');

/** Converts known errors of PostgreSQL; returns any other error unchanged. */
function toConnectError(thrown: Error & { code?: string }): Error {
  if (isDatabaseUnavailable(thrown)) {
    const message = 'The database is temporarily unavailable.';
    return new ConnectError('unavailable', message, {
      code: 'database_unavailable',
      cause: thrown,
      retryAfterSeconds: 1,
    });
  }
  // PostgreSQL rejects a NUL character in text and in JSON. It gets one only if a validation is missing.
  const hasNul = thrown.code === '22021' || thrown.code === '22P05';
  return hasNul ? invalidRequest('request', 'contains a NUL character.') : thrown;
}

/**
 * Returns true for errors of the connection: SQLSTATE classes 08 (connection), 53 (resources) and 57P
 * (shutdown), and error codes of sockets.
 */
function isDatabaseUnavailable(error: Error & { code?: string }): boolean {
  if (error.message === 'timeout exceeded when trying to connect') return true;
  if (error.message.startsWith('Connection terminated')) return true;
  return /^(08|53|57P)|^E(CONN|PIPE|HOSTUNREACH|NOTFOUND)/.test(error.code ?? '');
}
