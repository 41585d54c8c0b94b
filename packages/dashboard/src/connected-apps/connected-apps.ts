import { isScope, notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import {
  listConnections,
  revokeConnection,
  type Connection,
} from '@connect-embed/api/oauth/connections';
import { SCOPE_LABELS } from '../consent/scope-labels.ts';
import type { DashboardEnv, PageContext } from '../pages/env.ts';
import { dateElement, timeZoneOf } from '../pages/dashboard-layout.ts';
import { actionRoutes } from '../pages/actions.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { empty } from '../pages/table.ts';

/**
 * Dashboard pages “Connected apps” in the section “Developers”, where members see and disconnect
 * OAuth apps (spec: OAuth 2.0 authorization code flow, 7).
 */
export const connectedApps = ({ db, webhooks }: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { pageContext, organization } = c.var;
      const connections = await listConnections(db, organization.organizationId);
      return renderPage(c, { title: 'Connected apps', content: view(pageContext, connections) });
    })
    .route('/:id', connectionActions({ db, webhooks }));

const connectionActions = ({ db, webhooks }: Pick<Deps, 'db' | 'webhooks'>) =>
  actionRoutes<Connection>(
    {
      load: async (c) => {
        const connections = await listConnections(db, c.var.organization.organizationId);
        const connection = connections.find(({ id }) => id === c.req.param('id'));
        if (!connection) throw notFound('connected_app', c.req.param('id') ?? '');
        return connection;
      },
      page: (_, c) => ({ href: organizationPath(c, '/connected-apps'), text: 'Connected apps' }),
      missing: {
        path: (c) => organizationPath(c, '/connected-apps'),
        problem: 'This app was already disconnected.',
      },
    },
    {
      revoke: {
        confirmation: ({ appName }) => ({
          title: `Disconnect ${appName}?`,
          text: `${appName} will lose access immediately, and its webhook endpoints will stop receiving events. To reconnect it, an owner or admin must approve it again.`,
          buttonLabel: 'Disconnect',
        }),
        run: ({ id }, c) =>
          revokeConnection(
            { db, enqueue: webhooks.enqueue },
            { id, organizationId: c.var.organization.organizationId },
          ),
        success: 'App disconnected.',
      },
    },
  );

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
