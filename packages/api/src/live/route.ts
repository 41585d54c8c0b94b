import {
  COMPONENT_SCOPE,
  COMPONENTS,
  ConnectError,
  invalidRequest,
  LiveQuery,
  type Component,
} from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Env } from '../http/env.ts';
import { checkScope } from '../auth/require-scope.ts';
import type { Credential } from '../http/credential.ts';
import type { LiveStreams } from './live-streams.ts';
import { parsePosition } from './log-position.ts';

/**
 * Headers of the stream. Proxies must not cache, compress or buffer it, so that events arrive at
 * once.
 */
const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  // Closes the connection with the stream, so that a stopping process does not wait for its next request.
  Connection: 'close',
};

/**
 * `GET /live` streams changes of donations, donors and payouts as server-sent events:
 * docs/decisions/0058-live-tables.md
 *
 * Only for component sessions, which expire. Other clients use webhooks.
 */
export const live = ({ liveStreams }: { liveStreams: LiveStreams }) =>
  new Hono<Env>().get('/', queryParams(LiveQuery), async (c) => {
    const session = requireSession(c.var.credential);
    const components = componentsOf(session, c.req.valid('query').components);
    const last = c.req.header('last-event-id');
    const from = last === undefined ? undefined : parsePosition(last);
    if (last !== undefined && !from) {
      throw invalidRequest('Last-Event-ID', 'must be the id of an event of this stream.');
    }
    if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS);
    return c.body(await liveStreams.open(session, components, from), 200, HEADERS);
  });

/**
 * Returns the credential if it is a component session.
 *
 * @throws {ConnectError} `forbidden` for any other credential
 */
function requireSession(credential: Credential): Credential & { expiresAt: Date } {
  const { kind, expiresAt } = credential;
  if (kind === 'component_session' && expiresAt) return { ...credential, expiresAt };
  throw new ConnectError('forbidden', 'A live stream requires the token of a component session.');
}

/**
 * Returns the requested components, or by default all components that the session may read.
 *
 * @throws {ConnectError} `insufficient_scope` with the missing scope of a requested component
 */
function componentsOf(session: Credential, requested: string | undefined): Component[] {
  if (requested === undefined) {
    return COMPONENTS.filter((component) => session.scopes.has(COMPONENT_SCOPE[component]));
  }
  const components = requested.split(',') as Component[];
  for (const component of components) checkScope(session, COMPONENT_SCOPE[component]);
  return components;
}
