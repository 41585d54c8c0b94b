import { notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Db } from '@connect-embed/api/db/schema';
import type { Deps } from '../pages/deps.ts';
import {
  createApp,
  deleteApp,
  listApps,
  rotateAppSecret,
  updateApp,
  type OauthApp,
} from '@connect-embed/api/oauth/apps';
import { readForm } from '@connect-embed/api/http/read-form';
import type { DashboardContext, DashboardEnv, FlashMessage } from '../pages/env.ts';
import { dateElement, timeZoneOf } from '../pages/dashboard-layout.ts';
import { actionRoutes } from '../pages/actions.ts';
import { renderPage } from '../pages/render-page.ts';
import { resultOrFormError } from '../pages/to-form-error.ts';

const PATH = '/dashboard/apps';

/** Names of the API's parameters in the error messages of the page. */
const LABELS = { name: 'The name', redirect_uris: 'The list of redirect URIs' };

/**
 * Dashboard page for the OAuth apps of a developer (spec: OAuth 2.0 authorization code flow, 1).
 */
export const apps = ({ db }: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', (c) => renderApps(c, db))
    .post('/', (c) =>
      withFormError(c, db, async () => {
        const app = { personId: c.var.pageContext.person.id, ...(await readApp(c)) };
        const { id, secret: value } = await createApp(db, app);
        const secret = { name: 'Client secret', value };
        return { kind: 'success', text: `App registered as ${id}.`, secret };
      }),
    )
    .post('/:id', (c) =>
      withFormError(c, db, async () => {
        const isChanged = await updateApp(db, { ...refIn(c), ...(await readApp(c)) });
        return isChanged
          ? { kind: 'success', text: 'App saved.' }
          : { kind: 'problem', text: MISSING_APP };
      }),
    )
    .route('/:id', appActions(db));

const MISSING_APP = 'This app does not exist or is not yours.';

const refIn = (c: DashboardContext) => ({
  id: c.req.param('id') ?? '',
  personId: c.var.pageContext.person.id,
});

async function renderApps(c: DashboardContext, db: Db, problem?: string) {
  const { pageContext } = c.var;
  const list = await listApps(db, pageContext.person.id);
  const content = view(list, timeZoneOf(pageContext));
  return renderPage(c, { path: PATH, title: 'OAuth apps', content, problem });
}

/** Saves a form and redirects with the message, or shows the error of the form. */
async function withFormError(c: DashboardContext, db: Db, save: () => Promise<FlashMessage>) {
  const result = await resultOrFormError(save, LABELS);
  if (typeof result !== 'string') return await c.var.redirectWithFlash(PATH, result);
  return await renderApps(c, db, result);
}

const appActions = (db: Db) =>
  actionRoutes<OauthApp>(
    {
      load: async (c) => {
        const list = await listApps(db, c.var.pageContext.person.id);
        const app = list.find(({ id }) => id === c.req.param('id'));
        if (!app) throw notFound('oauth_app', c.req.param('id') ?? '');
        return app;
      },
      page: () => ({ href: PATH, text: 'OAuth apps' }),
      missing: { path: () => PATH, problem: MISSING_APP },
    },
    {
      'rotate-secret': {
        confirmation: ({ name }) => ({
          title: `Replace the secret of ${name}?`,
          text: 'The current secret stops working immediately. Until the app uses the new one, it cannot exchange codes or refresh tokens. Its access tokens keep working until they expire.',
          buttonLabel: 'Create new secret',
        }),
        run: async (_, c) => (await rotateAppSecret(db, refIn(c))) ?? false,
        success: ({ id }) => `New secret created for ${id}. The old secret no longer works.`,
        secretName: 'Client secret',
      },
      delete: {
        confirmation: ({ name }) => ({
          title: `Delete ${name}?`,
          text: 'Every organization that connected it will be disconnected. Its tokens and webhook endpoints will stop working immediately. This cannot be undone.',
          buttonLabel: 'Delete app',
        }),
        run: (_, c) => deleteApp(db, refIn(c)),
        success: 'App deleted.',
      },
    },
  );

async function readApp(c: DashboardContext) {
  const field = await readForm(c);
  return { name: field('name'), redirectUris: field('redirect_uris').split(/\s+/) };
}

const view = (list: OauthApp[], timeZone: string) =>
  html`<p class="muted">
      Register an app to request access to organizations. The app belongs to you, not to an
      organization.
    </p>
    ${list.map((app) => appView(app, timeZone))}
    <h2 id="new">Register an app</h2>
    <form method="post" action="${PATH}" class="panel" aria-labelledby="new">
      ${fields('new')}
      <button>Register</button>
    </form>`;

const appView = (app: OauthApp, timeZone: string) =>
  html`<article class="panel" aria-labelledby="${app.id}">
    <h2 id="${app.id}">${app.name}</h2>
    <p class="small">
      <span class="muted">Client ID</span> <code>${app.id}</code>
      <span class="muted">· registered ${dateElement(app.createdAt, timeZone)}</span>
    </p>
    <details>
      <summary>Edit</summary>
      <form method="post" action="${PATH}/${app.id}">
        ${fields(`of-${app.id}`, app)}
        <button class="secondary">Save</button>
      </form>
    </details>
    <div class="buttons">
      <a class="button secondary" href="${PATH}/${app.id}/rotate-secret"
        >New secret<span class="hidden"> for ${app.name}</span></a
      >
      <a class="button danger" href="${PATH}/${app.id}/delete"
        >Delete<span class="hidden"> ${app.name}</span></a
      >
    </div>
  </article>`;

const fields = (key: string, app?: OauthApp) =>
  html`<div class="field">
      <label for="name-${key}">Name</label>
      <input id="name-${key}" name="name" required maxlength="100" value="${app?.name ?? ''}" />
    </div>
    <div class="field">
      <label for="uris-${key}">Redirect URIs</label>
      <textarea id="uris-${key}" name="redirect_uris" required aria-describedby="hint-${key}">
${app?.redirectUris.join('\n') ?? ''}</textarea>
      <span id="hint-${key}" class="small muted">
        One per line, exactly as your app sends it. Use https, or http on localhost. The port may
        differ only with http://127.0.0.1 and http://[::1].
      </span>
    </div>`;
