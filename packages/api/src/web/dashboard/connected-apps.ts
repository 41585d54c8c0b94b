import { isScope, notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../deps.ts';
import { listConnections, revokeConnection, type Connection } from '../../oauth/connections.ts';
import { SCOPE_LABELS } from '../account/scope-labels.ts';
import { confirmation } from './confirmation.ts';
import type { DashboardEnv, PageContext } from './env.ts';
import { dateElement, dashboardPage, timeZoneOf } from './dashboard-layout.ts';
import { empty } from './table.ts';

/**
 * Dashboard pages “Connected apps” in the section “Developers”, where members see and disconnect
 * OAuth apps (spec: OAuth 2.0 authorization code flow, 7).
 */
export const connectedApps = ({ db }: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { pageContext, organization } = c.var;
      const connections = await listConnections(db, organization.organizationId);
      return c.html(dashboardPage(pageContext, 'Connected apps', view(pageContext, connections)));
    })
    .get('/:id/revoke', async (c) => {
      const { organizationId } = c.var.organization;
      const connections = await listConnections(db, organizationId);
      const connection = connections.find(({ id }) => id === c.req.param('id'));
      if (!connection) throw notFound('connected_app', c.req.param('id'));
      const list = `/dashboard/${organizationId}/connected-apps`;
      const pageContext = {
        ...c.var.pageContext,
        backLink: { href: list, text: 'Connected apps' },
      };
      const text = `${connection.appName} will lose access immediately, and its webhook endpoints will stop receiving events. To reconnect it, an owner or admin must approve it again.`;
      const content = confirmation({ text, buttonLabel: 'Disconnect', cancelHref: list });
      return c.html(dashboardPage(pageContext, `Disconnect ${connection.appName}?`, content));
    })
    .post('/:id/revoke', async (c) => {
      const { organizationId } = c.var.organization;
      const wasRevoked = await revokeConnection(db, { id: c.req.param('id'), organizationId });
      return await c.var.redirectWithFlash(
        `/dashboard/${organizationId}/connected-apps`,
        wasRevoked
          ? { kind: 'success', text: 'App disconnected.' }
          : { kind: 'problem', text: 'This app was already disconnected.' },
      );
    });

const view = (pageContext: PageContext, connections: Connection[]) =>
  html`<p class="muted">
      Third-party apps that can access this organization. When you disconnect an app, it loses
      access immediately.
    </p>
    ${
      connections.length
        ? connections.map((connection) => row(pageContext, connection))
        : empty('No connected apps.')
    }`;

const row = (
  pageContext: PageContext,
  { id, appName, scopes, approvedBy, createdAt }: Connection,
) =>
  html`<article class="panel" aria-labelledby="${id}">
    <h2 id="${id}">${appName}</h2>
    <p>
      ${scopes.filter(isScope).map((scope, at) => (at ? ' · ' : '') + SCOPE_LABELS[scope].title)}
    </p>
    <p class="muted small">
      Approved by ${approvedBy.join(', ')} · connected
      ${dateElement(createdAt, timeZoneOf(pageContext))}
    </p>
    <p>
      <a class="button danger" href="${pageContext.path}/${id}/revoke"
        >Disconnect<span class="hidden"> ${appName}</span></a
      >
    </p>
  </article>`;
