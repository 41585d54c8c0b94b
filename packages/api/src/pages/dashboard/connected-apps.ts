import { isScope } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../app.ts';
import { listConnections, revokeConnection, type Connection } from '../../oauth/connections.ts';
import { SCOPE_WORDS } from '../scope-words.ts';
import type { DashboardEnv } from './dashboard.ts';
import { day, frame } from './frame.ts';

/** Developers › Connected apps (spec: OAuth 2.0 authorization code flow, 7): list and revoke. */
export const connectedApps = ({ db }: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { place, organization } = c.var;
      const connections = await listConnections(db, organization.organizationId);
      return c.html(frame(place, 'Connected apps', view(place.path, connections)));
    })
    .post('/:id/revoke', async (c) => {
      const { organizationId } = c.var.organization;
      await revokeConnection(db, { id: c.req.param('id'), organizationId });
      return c.redirect(`/dashboard/${organizationId}/connected-apps`, 303);
    });

const view = (path: string, connections: Connection[]) =>
  html`<p class="quiet">
      Applications of others that may act for this organization. Disconnecting one ends its access
      at once.
    </p>
    ${
      connections.length
        ? connections.map((connection) => row(path, connection))
        : html`<p class="notice">No application is connected.</p>`
    }`;

const row = (path: string, { id, appName, scopes, approvedBy, createdAt }: Connection) =>
  html`<article class="panel" aria-labelledby="${id}">
    <h2 id="${id}">${appName}</h2>
    <p>
      ${scopes.filter(isScope).map((scope, at) => (at ? ' · ' : '') + SCOPE_WORDS[scope].title)}
    </p>
    <p class="quiet small">Approved by ${approvedBy.join(', ')} · since ${day(createdAt)}</p>
    <form method="post" action="${path}/${id}/revoke">
      <button class="danger">Disconnect<span class="hidden"> ${appName}</span></button>
    </form>
  </article>`;
