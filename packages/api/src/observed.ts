import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { writeCarried } from './answer-headers.ts';
import type { Env, WorkDeps } from './env.ts';
import { newId } from './id.ts';
import { logRequest } from './request-log.ts';

/** Every request has a name, a line in the log, and a place in the metrics. */
export const observed = ({ log, metrics }: WorkDeps) =>
  new Hono<Env>()
    .use(requestId({ headerName: 'Request-Id', limitLength: 64, generator: () => newId('req') }))
    .use(writeCarried)
    .use(metrics.measure)
    .use(logRequest(log));
