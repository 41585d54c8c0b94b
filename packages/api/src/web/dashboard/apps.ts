import { ConnectError, notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../deps.ts';
import {
  createApp,
  deleteApp,
  listApps,
  rotateAppSecret,
  updateApp,
  type OauthApp,
} from '../../oauth/apps.ts';
import { readForm } from '../read-form.ts';
import { confirmation } from './confirmation.ts';
import type { DashboardEnv, FlashMessage } from './env.ts';
import { dateElement, dashboardPage, timeZoneOf } from './dashboard-layout.ts';
import { withLabel } from './to-form-error.ts';

const PATH = '/dashboard/apps';

/** Names of the API's parameters in the error messages of the page. */
const LABELS = { name: 'The name', redirect_uris: 'The list of redirect URIs' };

/**
 * Dashboard page for the OAuth apps of a developer (spec: OAuth 2.0 authorization code flow, 1).
 */
export const apps = ({ db }: Deps) => {
  const renderPage = async (c: Context<DashboardEnv>, flash?: FlashMessage) => {
    const { pageContext } = c.var;
    const list = await listApps(db, pageContext.person.id);
    return dashboardPage(
      { ...pageContext, path: PATH },
      'OAuth apps',
      view(list, timeZoneOf(pageContext)),
      flash,
    );
  };
  const showProblem = async (c: Context<DashboardEnv>, error: unknown) => {
    if (!(error instanceof ConnectError)) throw error;
    return c.html(await renderPage(c, { kind: 'problem', text: withLabel(error, LABELS) }), 400);
  };
  const showSecret = (c: Context<DashboardEnv>, text: string, value: string) =>
    c.var.redirectWithFlash(PATH, {
      kind: 'success',
      text,
      secret: { name: 'Client secret', value },
    });
  const confirmationPage = async (
    c: Context<DashboardEnv, '/:id'>,
    confirmationOf: (app: OauthApp) => Confirmation,
  ) => {
    const list = await listApps(db, c.var.pageContext.person.id);
    const app = list.find(({ id }) => id === c.req.param('id'));
    if (!app) throw notFound('oauth_app', c.req.param('id'));
    const { title, ...rest } = confirmationOf(app);
    const pageContext = { ...c.var.pageContext, backLink: { href: PATH, text: 'OAuth apps' } };
    return c.html(dashboardPage(pageContext, title, confirmation({ ...rest, cancelHref: PATH })));
  };

  return new Hono<DashboardEnv>()
    .get('/', async (c) => c.html(await renderPage(c)))
    .post('/', async (c) => {
      try {
        const app = { personId: c.var.pageContext.person.id, ...(await readApp(c)) };
        const { id, secret } = await createApp(db, app);
        return await showSecret(c, `App registered as ${id}.`, secret);
      } catch (error) {
        return await showProblem(c, error);
      }
    })
    .post('/:id', async (c) => {
      try {
        const appKey = { id: c.req.param('id'), personId: c.var.pageContext.person.id };
        const changed = await updateApp(db, { ...appKey, ...(await readApp(c)) });
        return await c.var.redirectWithFlash(
          PATH,
          changed ? { kind: 'success', text: 'App saved.' } : NOT_FOUND,
        );
      } catch (error) {
        return await showProblem(c, error);
      }
    })
    .get('/:id/rotate-secret', (c) => confirmationPage(c, rotationConfirmation))
    .post('/:id/rotate-secret', async (c) => {
      const appRef = { id: c.req.param('id'), personId: c.var.pageContext.person.id };
      const secret = await rotateAppSecret(db, appRef);
      if (!secret) return await c.var.redirectWithFlash(PATH, NOT_FOUND);
      return await showSecret(
        c,
        `New secret created for ${appRef.id}. The old secret no longer works.`,
        secret,
      );
    })
    .get('/:id/delete', (c) => confirmationPage(c, deletionConfirmation))
    .post('/:id/delete', async (c) => {
      const ownedAppRef = { id: c.req.param('id'), personId: c.var.pageContext.person.id };
      const deleted = await deleteApp(db, ownedAppRef);
      return await c.var.redirectWithFlash(
        PATH,
        deleted ? { kind: 'success', text: 'App deleted.' } : NOT_FOUND,
      );
    });
};

const NOT_FOUND = { kind: 'problem', text: 'This app does not exist or is not yours.' } as const;

interface Confirmation {
  title: string;
  text: string;
  buttonLabel: string;
}

const rotationConfirmation = ({ name }: OauthApp): Confirmation => ({
  title: `Replace the secret of ${name}?`,
  text: 'The current secret stops working immediately. Until the app uses the new one, it cannot exchange codes or refresh tokens. Its access tokens keep working until they expire.',
  buttonLabel: 'Create new secret',
});

const deletionConfirmation = ({ name }: OauthApp): Confirmation => ({
  title: `Delete ${name}?`,
  text: 'Every organization that connected it will be disconnected. Its tokens and webhook endpoints will stop working immediately. This cannot be undone.',
  buttonLabel: 'Delete app',
});

async function readApp(c: Context<DashboardEnv>) {
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
        One per line, exactly as your app sends it. Use https, or http on localhost.
      </span>
    </div>`;
