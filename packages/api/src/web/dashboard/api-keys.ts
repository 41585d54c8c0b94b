import { notFound, type Scope } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../deps.ts';
import { createApiKey, listApiKeys, revokeApiKey, type ApiKey } from '../../auth/api-key.ts';
import { readForm } from '../read-form.ts';
import { SCOPE_LABELS } from '../account/scope-labels.ts';
import { confirmation } from './confirmation.ts';
import type { DashboardEnv, FlashMessage, PageContext } from './env.ts';
import { dateElement, dashboardPage, timeZoneOf } from './dashboard-layout.ts';
import { empty, table, type Column } from './table.ts';

/**
 * Dashboard pages “API keys” in the section “Developers” (spec: API key). A member creates a key
 * with scopes, sees its token once, and can revoke the key.
 */
export const apiKeys = ({ db }: Deps) => {
  const renderPage = async (
    pageContext: PageContext,
    organizationId: string,
    enteredValues = EMPTY_INPUT,
    flash?: FlashMessage,
  ) =>
    dashboardPage(
      pageContext,
      'API keys',
      view(pageContext, await listApiKeys(db, organizationId), enteredValues),
      flash,
    );

  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { pageContext, organization } = c.var;
      return c.html(await renderPage(pageContext, organization.organizationId));
    })
    .post('/', async (c) => {
      const { pageContext, organization } = c.var;
      const { organizationId, permissions } = organization;
      const field = await readForm(c);
      const name = field('name').trim().slice(0, 100);
      // A member can grant only scopes that they hold, whatever the submitted form contains.
      const scopes = [...permissions].filter((scope) => field(scope) === 'on');
      if (!name || scopes.length === 0) {
        const text = 'Enter a name and select at least one permission.';
        const problem = { kind: 'problem', text } as const;
        return c.html(
          await renderPage(pageContext, organizationId, { name, scopes }, problem),
          400,
        );
      }
      const createdBy = pageContext.person.id;
      const { token } = await createApiKey(db, { organizationId, name, scopes, createdBy });
      const secret = { name: `API key "${name}"`, value: token };
      return await c.var.redirectWithFlash(pageContext.path, {
        kind: 'success',
        text: 'API key created.',
        secret,
      });
    })
    .get('/:id/revoke', async (c) => {
      const { organizationId } = c.var.organization;
      const keys = await listApiKeys(db, organizationId);
      const key = keys.find(({ id, revokedAt }) => id === c.req.param('id') && !revokedAt);
      if (!key) throw notFound('api_key', c.req.param('id'));
      const list = `/dashboard/${organizationId}/api-keys`;
      const pageContext = { ...c.var.pageContext, backLink: { href: list, text: 'API keys' } };
      const text = `Requests that use "${key.name}" will fail immediately, and webhook endpoints created with it will stop receiving events. A revoked key cannot be restored.`;
      const content = confirmation({ text, buttonLabel: 'Revoke key', cancelHref: list });
      return c.html(dashboardPage(pageContext, `Revoke ${key.name}?`, content));
    })
    .post('/:id/revoke', async (c) => {
      const { organizationId } = c.var.organization;
      const revoked = await revokeApiKey(db, c.req.param('id'), organizationId);
      return await c.var.redirectWithFlash(
        `/dashboard/${organizationId}/api-keys`,
        revoked
          ? { kind: 'success', text: 'API key revoked.' }
          : { kind: 'problem', text: 'This API key does not exist or was already revoked.' },
      );
    });
};

/** The submitted values of the form for a new key. */
interface KeyInput {
  name: string;
  scopes: readonly Scope[];
}

const EMPTY_INPUT: KeyInput = { name: '', scopes: [] };

const view = (pageContext: PageContext, keys: ApiKey[], enteredValues: KeyInput) =>
  html`<p class="muted">
      An API key gives your software access to this organization. Keep it on your server: anyone who
      has the key can use its permissions.
    </p>
    ${keys.length ? table('API keys', keyColumns(pageContext.path, timeZoneOf(pageContext)), keys) : empty('No API keys yet.')}
    <h2 id="new">New API key</h2>
    <form method="post" class="panel" aria-labelledby="new">
      <div class="field">
        <label for="name">Name</label>
        <input
          id="name"
          name="name"
          required
          maxlength="100"
          placeholder="Our website"
          value="${enteredValues.name}"
        />
      </div>
      <fieldset>
        <legend>Permissions</legend>
        ${[...(pageContext.organization?.permissions ?? [])].map((scope) => scopeChoice(scope, enteredValues))}
      </fieldset>
      <button>Create key</button>
    </form>`;

const scopeChoice = (scope: Scope, { scopes }: KeyInput) =>
  html`<label class="choice">
    <input type="checkbox" name="${scope}" ${scopes.includes(scope) ? 'checked' : ''} />
    <span>
      ${SCOPE_LABELS[scope].title} <code class="small muted">${scope}</code>
      <span class="small muted">${SCOPE_LABELS[scope].detail}</span>
    </span>
  </label>`;

const keyColumns = (path: string, timeZone: string): Column<ApiKey>[] => [
  {
    head: 'Name',
    as: 'rowHeader',
    cell: ({ id, name }) => html`${name}<br /><span class="small muted">${id}</span>`,
  },
  {
    head: 'Permissions',
    cell: ({ scopes }) => html`<span class="small">${scopes.join(', ')}</span>`,
  },
  { head: 'Created', cell: ({ createdAt }) => dateElement(createdAt, timeZone) },
  {
    head: 'Revoke',
    as: 'muted',
    cell: ({ id, name, revokedAt }) =>
      revokedAt
        ? html`<span class="muted small">Revoked ${dateElement(revokedAt, timeZone)}</span>`
        : html`<a class="button danger" href="${path}/${id}/revoke"
            >Revoke<span class="hidden"> ${name}</span></a
          >`,
  },
];
