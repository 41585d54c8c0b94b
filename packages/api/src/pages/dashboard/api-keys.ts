import type { Scope } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../app.ts';
import { createApiKey, listApiKeys, revokeApiKey, type ApiKey } from '../../auth/api-key.ts';
import { readForm } from '../form.ts';
import { SCOPE_WORDS } from '../scope-words.ts';
import type { DashboardEnv } from './dashboard.ts';
import { day, frame, type Notice, type Place } from './frame.ts';

/** Developers › API keys (spec: API key): create with scopes, shown once; revoke. */
export const apiKeys = ({ db }: Deps) => {
  const draw = async (place: Place, organizationId: string, notice?: Notice) =>
    frame(place, 'API keys', view(place, await listApiKeys(db, organizationId)), notice);

  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { place, organization } = c.var;
      return c.html(await draw(place, organization.organizationId));
    })
    .post('/', async (c) => {
      const { place, organization } = c.var;
      const { organizationId, permissions } = organization;
      const field = await readForm(c);
      const name = field('name').trim().slice(0, 100);
      // Only what is theirs to give, whatever a form says.
      const scopes = [...permissions].filter((scope) => field(scope) === 'on');
      if (!name || scopes.length === 0) {
        const text = 'A key needs a name, and at least one thing that it may do.';
        return c.html(await draw(place, organizationId, { kind: 'problem', text }), 400);
      }
      const createdBy = place.person.id;
      const { token } = await createApiKey(db, { organizationId, name, scopes, createdBy });
      const secret = { name: `The key "${name}"`, value: token };
      const notice = { kind: 'good', text: 'The key is made.', secret } as const;
      return c.html(await draw(place, organizationId, notice), 201);
    })
    .post('/:id/revoke', async (c) => {
      const { organizationId } = c.var.organization;
      await revokeApiKey(db, c.req.param('id'), organizationId);
      return c.redirect(`/dashboard/${organizationId}/api-keys`, 303);
    });
};

const view = (place: Place, keys: ApiKey[]) =>
  html`<p class="quiet">
      A key gives a program of yours access to this organization. Keep it on your server; whoever
      has it can do what it may.
    </p>
    ${keys.length ? table(place, keys) : html`<p class="notice">There are no keys yet.</p>`}
    <h2 id="new">New key</h2>
    <form method="post" class="panel" aria-labelledby="new">
      <div class="field">
        <label for="name">Name</label>
        <input id="name" name="name" required maxlength="100" placeholder="Our website" />
      </div>
      <fieldset>
        <legend>It may</legend>
        ${[...(place.organization?.permissions ?? [])].map(scopeChoice)}
      </fieldset>
      <button>Create key</button>
    </form>`;

const scopeChoice = (scope: Scope) =>
  html`<label class="choice">
    <input type="checkbox" name="${scope}" />
    <span>
      ${SCOPE_WORDS[scope].title} <code class="small quiet">${scope}</code>
      <span class="small quiet">${SCOPE_WORDS[scope].detail}</span>
    </span>
  </label>`;

const table = ({ path }: Place, keys: ApiKey[]) =>
  html`<div class="scroll" role="region" aria-label="API keys" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">May</th>
          <th scope="col">Created</th>
          <th scope="col"><span class="hidden">Revoke</span></th>
        </tr>
      </thead>
      <tbody>
        ${keys.map(
          ({ id, name, scopes, createdAt, revokedAt }) =>
            html`<tr>
              <th scope="row">${name}<br /><span class="small quiet">${id}</span></th>
              <td class="small">${scopes.join(', ')}</td>
              <td>${day(createdAt)}</td>
              <td>
                ${
                  revokedAt
                    ? html`<span class="quiet small">Revoked ${day(revokedAt)}</span>`
                    : html`<form method="post" action="${path}/${id}/revoke">
                        <button class="danger">Revoke<span class="hidden"> ${name}</span></button>
                      </form>`
                }
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
