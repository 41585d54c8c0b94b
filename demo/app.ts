import { isLocalHost, unknownHostMessage } from '@connect-embed/contract/local-host';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { Config } from './config.ts';
import { nonprofit } from './nonprofit.ts';
import { platform } from './platform.ts';

/**
 * The demo websites: a nonprofit's and a platform's page. They share a host here; in reality they
 * belong to two owners.
 */
export const createDemo = (config: Config) =>
  new Hono({ strict: false })
    .use(async (c, next) => {
      const { hostname } = new URL(c.req.url);
      if (isLocalHost(hostname, config.allowedHosts)) await next();
      else return c.text(unknownHostMessage(hostname), 403);
    })
    .use(etag())
    .use(async (c, next) => {
      await next();
      c.header('X-Content-Type-Options', 'nosniff');
      c.header('Referrer-Policy', 'strict-origin-when-cross-origin');
      c.header('Cache-Control', 'no-cache');
    })
    .get('/healthz', (c) => c.text('ok'))
    .route('/platform', platform(config))
    .route('/', nonprofit(config));
