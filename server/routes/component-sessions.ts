import {
  ConnectError,
  CreateComponentSession,
  type Component,
  type PageSession,
} from '@connect-embed/contract';
import { jsonBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps, Env } from '../app.ts';
import type { Permission } from '../connect-config.ts';
import { Limiter, tooMany } from '../limits.ts';

/**
 * `POST /component-sessions` opens the tables of one page for a viewer whom the host vouches for.
 *
 * The elements then read from the API with this token: this server is not on the data's path.
 */
export const componentSessions = ({ config, upstream, permission }: Deps) => {
  const pace = new Limiter(config.limits.components);
  return new Hono<Env>()
    .post('/', async (c, next) => {
      // The host decides before anything of the body counts; it may read a copy, never ours.
      c.set('permission', await permission(c.req.raw.clone()));
      await next();
    })
    .post('/', jsonBody(CreateComponentSession), async (c) => {
      const request = c.req.valid('json');
      requirePermission(c.var.permission, request.components);
      const waitMs = await pace.take('all');
      if (waitMs > 0) throw tooMany('Many tables are being opened at this moment.', waitMs);
      const { permission: granted } = c.var;
      const organization = typeof granted === 'object' ? granted.organization : undefined;
      const session = await upstream.call(
        (api) => api.createComponentSession(request),
        organization,
      );
      const api_base = config.publicApiBase ?? config.apiBase;
      return c.json({ ...session, api_base } satisfies PageSession, 201);
    });
};

/** @throws {ConnectError} `forbidden` naming the first component that the viewer may not see */
function requirePermission(permission: Permission, asked: readonly Component[]): void {
  if (permission === true) return;
  const allowed = permission ? permission.components : []; // A hook that returns nothing refuses.
  const refused = allowed && asked.find((component) => !allowed.includes(component));
  if (refused)
    throw new ConnectError('forbidden', `components: ${refused} is not for this viewer.`);
}
