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
import type { Membership } from '@connect-embed/api/users/membership';
import { SCOPE_LABELS } from '../consent/scope-labels.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { dateElement } from '../pages/dashboard-layout.ts';
import { actionRoutes } from '../pages/actions.ts';
import { required, someOf, text, type FieldsOf } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import { organizationPath } from '../pages/render-page.ts';
import { empty, table, type Column } from '../pages/table.ts';

interface KeyInput {
  name: string;
  scopes: Scope[];
}

/**
 * Dashboard pages “API keys” in the section “Developers” (spec: API key). A member creates a key
 * with scopes, sees its token once, and can revoke the key.
 */
export const apiKeys = ({ db }: Deps) => {
  const { show, submit } = keysPage(db);
  return new Hono<DashboardEnv>().get('/', show).post('/', submit).route('/:id', keyActions(db));
};

const keysPage = (db: Db) =>
  formPage<ApiKey[], KeyInput>({
    load: (c) => listApiKeys(db, c.var.organization.organizationId),
    title: () => 'API keys',
    action: (_, c) => organizationPath(c, '/api-keys'),
    fields: (_, c) => fields(c.var.organization),
    values: () => ({}),
    submitLabel: 'Create key',
    save: async (input, _, c) => {
      const { organizationId } = c.var.organization;
      const createdBy = c.var.pageContext.person.id;
      const { token } = await createApiKey(db, { organizationId, createdBy, ...input });
      return {
        path: organizationPath(c, '/api-keys'),
        success: 'API key created.',
        secret: { name: `API key "${input.name}"`, value: token },
      };
    },
    content: (form, keys, c) =>
      html`<p class="muted">
          An API key gives your software access to this organization. Keep it on your server: anyone
          who has the key can use its permissions.
        </p>
        ${keys.length ? table('API keys', keyColumns(c), keys) : empty('No API keys yet.')}
        <h2>New API key</h2>
        ${form}`,
  });

/** A member can grant only scopes that they hold, whatever the submitted form contains. */
const fields = ({ permissions }: Membership): FieldsOf<KeyInput> => ({
  name: required(
    text({ label: 'Name', hint: 'For example “Our website”.', max: 100 }),
    'Enter a name.',
  ),
  scopes: someOf({
    label: 'Permissions',
    choices: [...permissions].map((value) => ({
      value,
      text: SCOPE_LABELS[value].title,
      hint: html`<code>${value}</code><br />${SCOPE_LABELS[value].detail}`,
    })),
    problem: 'Select at least one permission.',
  }),
});

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

const keyColumns = (c: DashboardContext): Column<ApiKey>[] => [
  {
    head: 'Name',
    as: 'rowHeader',
    cell: ({ id, name }) => html`${name}<br /><span class="small muted">${id}</span>`,
  },
  {
    head: 'Permissions',
    cell: ({ scopes }) => html`<span class="small">${scopes.join(', ')}</span>`,
  },
  { head: 'Created', cell: ({ createdAt }) => dateElement(createdAt, c.var.organization.timeZone) },
  {
    head: 'Revoke',
    as: 'muted',
    cell: ({ id, name, revokedAt }) =>
      revokedAt
        ? html`<span class="muted small"
            >Revoked ${dateElement(revokedAt, c.var.organization.timeZone)}</span
          >`
        : html`<a class="button danger" href="${organizationPath(c, `/api-keys/${id}/revoke`)}"
            >Revoke<span class="hidden"> ${name}</span></a
          >`,
  },
];
