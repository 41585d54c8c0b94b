import { ConnectError } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../app.ts';
import {
  createApp,
  deleteApp,
  listApps,
  rotateAppSecret,
  updateApp,
  type OauthApp,
} from '../../oauth/apps.ts';
import { readForm } from '../form.ts';
import type { DashboardEnv } from './dashboard.ts';
import { day, frame, type Notice } from './frame.ts';

const PATH = '/dashboard/apps';

/** OAuth apps of a developer (spec: OAuth 2.0 authorization code flow, 1). */
export const apps = ({ db }: Deps) => {
  const draw = async (c: Context<DashboardEnv>, notice?: Notice) => {
    const { place } = c.var;
    const list = await listApps(db, place.person.id);
    return frame({ ...place, path: PATH }, 'OAuth apps', view(list), notice);
  };
  const problem = async (c: Context<DashboardEnv>, error: unknown) => {
    if (!(error instanceof ConnectError)) throw error;
    return c.html(await draw(c, { kind: 'problem', text: error.message }), 400);
  };
  const reveal = async (c: Context<DashboardEnv>, text: string, value: string) =>
    c.html(await draw(c, { kind: 'good', text, secret: { name: 'Client secret', value } }), 201);

  return new Hono<DashboardEnv>()
    .get('/', async (c) => c.html(await draw(c)))
    .post('/', async (c) => {
      try {
        const app = { personId: c.var.place.person.id, ...(await readApp(c)) };
        const { id, secret } = await createApp(db, app);
        return await reveal(c, `The app is registered as ${id}.`, secret);
      } catch (error) {
        return await problem(c, error);
      }
    })
    .post('/:id', async (c) => {
      try {
        const mine = { id: c.req.param('id'), personId: c.var.place.person.id };
        await updateApp(db, { ...mine, ...(await readApp(c)) });
        return c.redirect(PATH, 303);
      } catch (error) {
        return await problem(c, error);
      }
    })
    .post('/:id/rotate-secret', async (c) => {
      const mine = { id: c.req.param('id'), personId: c.var.place.person.id };
      const secret = await rotateAppSecret(db, mine);
      if (!secret) return c.redirect(PATH, 303);
      return await reveal(c, `${mine.id} has a new secret; the old one has ended.`, secret);
    })
    .post('/:id/delete', async (c) => {
      await deleteApp(db, { id: c.req.param('id'), personId: c.var.place.person.id });
      return c.redirect(PATH, 303);
    });
};

async function readApp(c: Context<DashboardEnv>) {
  const field = await readForm(c);
  return { name: field('name'), redirectUris: field('redirect_uris').split(/\s+/) };
}

const view = (list: OauthApp[]) =>
  html`<p class="quiet">
      An app of yours asks organizations for access, and acts for each one that approves. It belongs
      to you, not to an organization.
    </p>
    ${list.map(appView)}
    <h2 id="new">Register an app</h2>
    <form method="post" action="${PATH}" class="panel" aria-labelledby="new">
      ${fields('new')}
      <button>Register</button>
    </form>`;

const appView = (app: OauthApp) =>
  html`<article class="panel" aria-labelledby="${app.id}">
    <h2 id="${app.id}">${app.name}</h2>
    <p class="small">
      <span class="quiet">Client ID</span> <code>${app.id}</code>
      <span class="quiet">· since ${day(app.createdAt)}</span>
    </p>
    <details>
      <summary>Change</summary>
      <form method="post" action="${PATH}/${app.id}">
        ${fields(`of-${app.id}`, app)}
        <button class="second">Save</button>
      </form>
    </details>
    <div class="buttons">
      <form method="post" action="${PATH}/${app.id}/rotate-secret">
        <button class="second">New secret<span class="hidden"> for ${app.name}</span></button>
      </form>
      <form method="post" action="${PATH}/${app.id}/delete">
        <button class="danger">Delete<span class="hidden"> ${app.name}</span></button>
      </form>
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
      <span id="hint-${key}" class="small quiet">
        One a line, exactly as your app sends it. https, or http on localhost.
      </span>
    </div>`;
