import { notFound, type Scope } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Db } from '@connect-embed/api/db/schema';
import type { Deps } from '../pages/deps.ts';
import {
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
} from '@connect-embed/api/auth/api-key';
import { readForm } from '@connect-embed/api/http/read-form';
import { SCOPE_LABELS } from '../pages/scope-labels.ts';
import type { DashboardContext, DashboardEnv, PageContext } from '../pages/env.ts';
import { dateElement, timeZoneOf } from '../pages/dashboard-layout.ts';
import { actionRoutes } from '../pages/actions.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { empty, table, type Column } from '../pages/table.ts';

/**
 * Dashboard pages “API keys” in the section “Developers” (spec: API key). A member creates a key
 * with scopes, sees its token once, and can revoke the key.
 */
export const apiKeys = ({ db }: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', (c) => renderKeys(c, db))
    .post('/', (c) => createKey(c, db))
    .route('/:id', keyActions(db));

async function renderKeys(c: DashboardContext, db: Db, input = EMPTY_INPUT, problem?: string) {
  const keys = await listApiKeys(db, c.var.organization.organizationId);
  const content = view(c.var.pageContext, keys, input);
  return renderPage(c, { title: 'API keys', content, problem });
}

async function createKey(c: DashboardContext, db: Db) {
  const { pageContext, organization } = c.var;
  const { organizationId, permissions } = organization;
  const field = await readForm(c);
  const name = field('name').trim().slice(0, 100);
  // A member can grant only scopes that they hold, whatever the submitted form contains.
  const scopes = [...permissions].filter((scope) => field(scope) === 'on');
  if (!name || scopes.length === 0) {
    const problem = 'Enter a name and select at least one permission.';
    return await renderKeys(c, db, { name, scopes }, problem);
  }
  const createdBy = pageContext.person.id;
  const { token } = await createApiKey(db, { organizationId, name, scopes, createdBy });
  return await c.var.redirectWithFlash(pageContext.path, {
    kind: 'success',
    text: 'API key created.',
    secret: { name: `API key "${name}"`, value: token },
  });
}

const keyActions = (db: Db) =>
  actionRoutes<ApiKey>(
    {
      load: async (c) => {
        const id = c.req.param('id') ?? '';
        const key = await findApiKey(db, c.var.organization.organizationId, id);
        if (!key || key.revokedAt) throw notFound('api_key', id);
        return key;
      },
      page: (_, c) => ({ href: organizationPath(c, '/api-keys'), text: 'API keys' }),
      missing: {
        path: (c) => organizationPath(c, '/api-keys'),
        problem: 'This API key does not exist or was already revoked.',
      },
    },
    {
      revoke: {
        confirmation: ({ name }) => ({
          title: `Revoke ${name}?`,
          text: `Requests that use "${name}" will fail immediately, and webhook endpoints created with it will stop receiving events. A revoked key cannot be restored.`,
          buttonLabel: 'Revoke key',
        }),
        run: ({ id }, c) => revokeApiKey(db, id, c.var.organization.organizationId),
        success: 'API key revoked.',
      },
    },
  );

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
