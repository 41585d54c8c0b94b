import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../pages/deps.ts';
import type { DashboardEnv } from '../../pages/env.ts';
import { findOwnServer } from '@connect-embed/api/db/own-server';
import { organizationPath, renderPage } from '../../pages/render-page.ts';
import { SCOPE_LABELS } from '../../consent/scope-labels.ts';
import { badge } from '../../pages/table.ts';
import { loadProgress } from './progress.ts';

/** Page that explains how the server that shows forms gets its key. */
export const connectServer = (deps: Deps) =>
  new Hono<DashboardEnv>().get('/', async (c) => {
    const { organizationId } = c.var.organization;
    const { hasServerKey } = await loadProgress(deps.db, organizationId);
    const server = await findOwnServer(deps, organizationId);
    const state = (isDone: boolean) =>
      isDone ? badge('Done', 'positive') : badge('To do', 'pending');
    return renderPage(c, {
      title: 'Connect your server',
      content: html`<p class="muted">
          The server shows your forms on websites and keeps the key secret. Whoever runs it for you
          does two things:
        </p>
        <section class="panel" aria-labelledby="key">
          <h2 id="key">1. A key ${state(hasServerKey)}</h2>
          <p>
            Create an API key with the permissions “${SCOPE_LABELS['payments:write'].title}” and
            “${SCOPE_LABELS['reference:read'].title}”, and start the server with it as
            <code>CONNECT_API_KEY</code>.
          </p>
          <p><a class="button" href="${organizationPath(c, '/api-keys')}">Create an API key</a></p>
        </section>
        <section class="panel" aria-labelledby="address">
          <h2 id="address">2. Its address ${state(server !== undefined)}</h2>
          <p>
            ${
              server
                ? html`The server is at <code>${server}</code>.`
                : html`Start this service with the public address of the server as
                    <code>SERVER_BASE_URL</code>, and with its key as <code>SERVER_API_KEY</code>.`
            }
          </p>
        </section>`,
    });
  });
