import {
  ConnectError,
  CreatePageSession,
  Masks,
  type Component,
  type ComponentSession,
  type CreateComponentSession,
  type Mask,
  type PageSession,
} from '@connect-embed/contract';
import { networkPrefix } from '@connect-embed/contract/client-address';
import { validate, jsonBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Deps, Env } from '../deps.ts';
import type { Permission } from '../connect-config.ts';
import { RateLimiter } from '../rate-limiter.ts';
import { publicSessions } from '../sessions/shared-public-sessions.ts';
import { openSession } from '../sessions/open-session.ts';

const TOO_MANY_SESSIONS = 'Too many sessions are being created right now.';

const MaskList = z.object({ masks: Masks.default([]) });

/** Sessions of public pages for one network address, which several visitors may share. */
const PUBLIC_PAGES_PER_ADDRESS = { points: 60, seconds: 60 };

/**
 * `POST /component-sessions` creates a read-only API session for the tables of one page: for a
 * viewer whom the host authorizes, or for any visitor if the tables are public.
 *
 * The elements read from the API with this token, without the BFF in between. The masks (hidden
 * personal fields) follow from the configuration and the viewer, never from the page:
 * docs/decisions/0059-field-masking.md
 */
export const componentSessionRoutes = (deps: Deps) => {
  const { config, permission, address } = deps;
  const viewerLimiter = new RateLimiter(config.limits.components);
  const openPublic = publicSessionOpener(deps);
  return new Hono<Env>()
    .post('/', async (c, next) => {
      // Authorization comes before validation of the body. The hook gets a clone, so that it can
      // read the body too.
      c.set('permission', await permission(c.req.raw.clone()));
      await next();
    })
    .post('/', jsonBody(CreatePageSession), async (c) => {
      const { components } = c.req.valid('json');
      const viewer = limitsOf(c.var.permission);
      requireAllowed(viewer, components);
      // An unknown mask is an error and not ignored, because its author meant to hide something.
      const { masks } = validate(MaskList, viewer, 'masks');
      const { organization } = viewer;
      const scope = { components, ...(masks.length > 0 && { masks }), organization };
      const { session } = viewer.anybody
        ? await openPublic(scope, address(c))
        : await openLimited(deps, scope, viewerLimiter);
      const api_base = config.publicApiBase ?? config.apiBase;
      return c.json(
        { ...session, masks: session.masks ?? [], api_base } satisfies PageSession,
        201,
      );
    });
};

/** Returns a function that opens sessions for visitors of public pages, who share sessions. */
function publicSessionOpener(deps: Deps) {
  const { points, seconds } = deps.config.limits.components;
  // Separate from the viewers' limiter, so that many visitors of a public page do not block viewers.
  const publicLimiter = new RateLimiter({ points: Math.ceil(points / 2), seconds });
  const addressLimiter = new RateLimiter(PUBLIC_PAGES_PER_ADDRESS);
  const getOrOpen = publicSessions(deps.config.now);
  return async (scope: SessionScope, address: string | undefined) => {
    if (address) await addressLimiter.consumeOrThrow(networkPrefix(address), TOO_MANY_SESSIONS);
    const sharedScope = { ...scope, components: sortedUnique(scope.components) };
    return await getOrOpen(sharedScope, () => openLimited(deps, scope, publicLimiter));
  };
}

async function openLimited(
  { upstream, config }: Deps,
  { organization, ...request }: SessionScope,
  rateLimiter: RateLimiter,
) {
  await rateLimiter.consumeOrThrow('all', TOO_MANY_SESSIONS);
  const openedSession = await upstream.call(
    (api) => openSession(config.now, (options) => api.createComponentSession(request, options)),
    organization,
  );
  requireMasks(openedSession.session, request.masks ?? []);
  return openedSession;
}

type Limits = Exclude<Permission, boolean>;

/** What a viewer may see. A hook that returns undefined denies access. */
const limitsOf = (permission: Permission): Limits =>
  permission === true ? {} : permission || { components: [] };

/** @throws {ConnectError} `forbidden` naming the first component that the viewer may not see */
function requireAllowed({ components: allowed }: Limits, requested: readonly Component[]): void {
  const rejected = allowed && requested.find((component) => !allowed.includes(component));
  if (!rejected) return;
  const message = `components must not contain ${rejected}, which is not allowed for this viewer.`;
  throw new ConnectError('forbidden', message, { param: 'components' });
}

/** The data that a session may read: components, masks and organization. */
interface SessionScope extends CreateComponentSession {
  /** On a platform: the connected organization. */
  organization: string | undefined;
}

const sortedUnique = (components: Component[]) => [...new Set(components)].sort();

/**
 * Verifies that the API has applied the masks: an older API ignores them.
 *
 * @throws {ConnectError} `unavailable` naming the masks that the API has not applied
 */
function requireMasks({ masks: applied = [] }: Partial<ComponentSession>, masks: Mask[]): void {
  const missing = masks.filter((mask) => !applied.includes(mask));
  if (missing.length === 0) return;
  throw new ConnectError('unavailable', `The API did not mask ${missing.join(', ')}.`);
}
