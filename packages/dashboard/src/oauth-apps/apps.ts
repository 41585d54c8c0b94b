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
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { dateElement, timeZoneOf } from '../pages/dashboard-layout.ts';
import { actionRoutes } from '../pages/actions.ts';
import { multilineText, required, text, type FieldsOf } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';

const PATH = '/dashboard/apps';

interface AppInput {
  name: string;
  redirect_uris: string;
}

const FIELDS: FieldsOf<AppInput> = {
  name: required(text({ label: 'Name', max: 100 }), 'Enter a name.'),
  redirect_uris: required(
    multilineText({
      label: 'Redirect URIs',
      hint: 'One per line, exactly as your app sends it. Use https, or http on localhost. The port may differ only with http://127.0.0.1 and http://[::1].',
      max: 25_000,
    }),
    'Enter at least one redirect URI.',
  ),
};

/**
 * Dashboard pages for the OAuth apps of a developer (spec: OAuth 2.0 authorization code flow, 1).
 */
export const apps = ({ db }: Deps) => {
  const list = appsPage(db);
  const edit = editPage(db);
  return new Hono<DashboardEnv>()
    .get('/', list.show)
    .post('/', list.submit)
    .get('/:id', edit.show)
    .post('/:id', edit.submit)
    .route('/:id', appActions(db));
};

const refIn = (c: DashboardContext) => ({
  id: c.req.param('id') ?? '',
  personId: c.var.pageContext.person.id,
});

async function loadApp(c: DashboardContext, db: Db): Promise<OauthApp> {
  const { id, personId } = refIn(c);
  const app = (await listApps(db, personId)).find((each) => each.id === id);
  if (!app) throw notFound('oauth_app', id);
  return app;
}

const detailsOf = ({ name, redirect_uris }: AppInput) => ({
  name,
  redirectUris: redirect_uris.split(/\s+/),
});

/** The list of apps, with the form that registers one. */
const appsPage = (db: Db) =>
  formPage<OauthApp[], AppInput>({
    load: (c) => listApps(db, c.var.pageContext.person.id),
    title: () => 'OAuth apps',
    action: () => PATH,
    fields: () => FIELDS,
    values: () => ({}),
    submitLabel: 'Register',
    save: async (input, _, c) => {
      const personId = c.var.pageContext.person.id;
      const { id, secret: value } = await createApp(db, { personId, ...detailsOf(input) });
      const secret = { name: 'Client secret', value };
      return { path: PATH, success: `App registered as ${id}.`, secret };
    },
    content: (form, list, c) =>
      html`<p class="muted">
          Register an app to request access to organizations. The app belongs to you, not to an
          organization.
        </p>
        ${list.map((app) => appView(app, timeZoneOf(c.var.pageContext)))}
        <h2>Register an app</h2>
        ${form}`,
  });

const editPage = (db: Db) =>
  formPage<OauthApp, AppInput>({
    load: (c) => loadApp(c, db),
    title: ({ name }) => name,
    backLink: () => ({ href: PATH, text: 'OAuth apps' }),
    action: ({ id }) => `${PATH}/${id}`,
    fields: () => FIELDS,
    values: ({ name, redirectUris }) => ({ name, redirect_uris: redirectUris.join('\n') }),
    submitLabel: 'Save',
    save: async (input, { id }, c) => {
      if (!(await updateApp(db, { ...refIn(c), ...detailsOf(input) })))
        throw notFound('oauth_app', id);
      return { path: PATH, success: 'App saved.' };
    },
  });

const appActions = (db: Db) =>
  actionRoutes<OauthApp>(
    {
      load: (c) => loadApp(c, db),
      page: () => ({ href: PATH, text: 'OAuth apps' }),
      missing: { path: () => PATH, problem: 'This app does not exist or is not yours.' },
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

const appView = (app: OauthApp, timeZone: string) =>
  html`<article class="panel" aria-labelledby="${app.id}">
    <h2 id="${app.id}">${app.name}</h2>
    <p class="small">
      <span class="muted">Client ID</span> <code>${app.id}</code>
      <span class="muted">· registered ${dateElement(app.createdAt, timeZone)}</span>
    </p>
    <div class="buttons">
      <a class="button secondary" href="${PATH}/${app.id}"
        >Edit<span class="hidden"> ${app.name}</span></a
      >
      <a class="button secondary" href="${PATH}/${app.id}/rotate-secret"
        >New secret<span class="hidden"> for ${app.name}</span></a
      >
      <a class="button danger" href="${PATH}/${app.id}/delete"
        >Delete<span class="hidden"> ${app.name}</span></a
      >
    </div>
  </article>`;
