import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { applyResponseHeaders } from './response-headers.ts';
import type { Env, WorkerDeps } from './env.ts';
import { newId } from './id.ts';
import { logRequest } from './request-log.ts';

/** Every request has a name, a line in the log, and a place in the metrics. */
export const createInstrumentedApp = ({ log, metrics }: WorkerDeps) =>
  new Hono<Env>()
    .use(requestId({ headerName: 'Request-Id', limitLength: 64, generator: () => newId('req') }))
    .use(applyResponseHeaders)
    .use(metrics.measure)
    .use(logRequest(log));
