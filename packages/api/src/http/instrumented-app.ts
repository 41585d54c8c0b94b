import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import { applyResponseHeaders } from './response-headers.ts';
import type { Env, BaseDeps } from './env.ts';
import { newId } from '../lib/id.ts';
import { logRequest } from './request-log.ts';

/** Creates a Hono app that assigns a Request-Id to every request, measures its duration and logs it. */
export const createInstrumentedApp = ({ log, metrics }: BaseDeps) =>
  new Hono<Env>()
    .use(requestId({ headerName: 'Request-Id', limitLength: 64, generator: () => newId('req') }))
    .use(applyResponseHeaders)
    .use(metrics.measure)
    .use(logRequest(log));
