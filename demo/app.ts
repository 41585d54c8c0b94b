import { isLocalHost, unknownHostMessage } from '@connect-embed/contract/local-host';
import { Hono } from 'hono';
import { etag } from 'hono/etag';
import type { Config } from './config.ts';
import { createDocsSite } from './docs-site.ts';
import { HAS_DOCS_SITE } from './launcher/config.ts';
import { createNonprofitApp } from './nonprofit.ts';
import { createPlatformApp } from './platform.ts';

/**
 * Creates the application of the two demo websites, a nonprofit's and a platform's. In reality, the
 * two have different owners and hosts.
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
    .route('/docs', HAS_DOCS_SITE ? createDocsSite(config) : new Hono())
    .route('/platform', createPlatformApp(config))
    .route('/', createNonprofitApp(config));
