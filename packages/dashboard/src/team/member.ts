import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Db } from '@connect-embed/api/db/schema';
import type { EnqueueEvent } from '@connect-embed/api/webhooks/enqueue-event';
import type { Deps } from '../pages/deps.ts';
import {
  changeMember,
  findMember,
  removalImpact,
  removeMember,
  type Member,
} from '@connect-embed/api/users/team';
import type { Html } from '@connect-embed/api/lib/html';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { actionRoutes } from '../pages/actions.ts';
import { formPage } from '../pages/form-page.ts';
import { requireSecondFactor } from '../pages/require-second-factor.ts';
import { roleFields, type RoleInput } from './role-form.ts';
import { teamLink } from './team-view.ts';

/** Dashboard pages of one team member: change their role and permissions, or remove them. */
export const member = ({ db, webhooks }: Deps) => {
  const { show, submit } = rolePage(db);
  return new Hono<DashboardEnv>()
    .get('/', requireSecondFactor, show)
    .post('/', submit)
    .route('/', memberActions(db, webhooks.enqueue));
};

const loadMember = (c: DashboardContext, db: Db): Promise<Member> =>
  findMember(db, c.var.organization.organizationId, c.req.param('person') ?? '');

/** Identifies the change of a member and who makes it. */
const changeOf = (c: DashboardContext, { personId }: Member) => ({
  organizationId: c.var.organization.organizationId,
  actorId: c.var.pageContext.person.id,
  personId,
});

const rolePage = (db: Db) =>
  formPage<Member, RoleInput>({
    load: (c) => loadMember(c, db),
    title: ({ name }) => name,
    backLink: (_, c) => teamLink(c),
    action: ({ personId }, c) => `${teamLink(c).href}/${personId}`,
    fields: (_, c) => roleFields(c.var.organization),
    values: (member) => member,
    submitLabel: 'Save',
    save: async (input, member, c) => {
      await changeMember(db, changeOf(c, member), input);
      return { path: teamLink(c).href, success: `${member.name}’s role was updated.` };
    },
    content: (form, { email }) =>
      html`<p class="muted">${email}</p>
        ${form}`,
  });

const memberActions = (db: Db, enqueue: EnqueueEvent) =>
  actionRoutes<Member>(
    { load: (c) => loadMember(c, db), page: (_, c) => teamLink(c) },
    {
      remove: {
        confirmation: async ({ personId, name, email }, c) => {
          const { organizationId, organizationName } = c.var.organization;
          const impact = await removalImpact(db, organizationId, personId);
          const text = html`<p>
              ${name} (${email}) will lose access to ${organizationName} immediately.
            </p>
            ${offboardingSummary(impact, organizationId)}`;
          return { title: `Remove ${name}?`, text, buttonLabel: `Remove ${name}` };
        },
        run: (member, c) => removeMember({ db, enqueue }, changeOf(c, member)),
        success: ({ name }) => `${name} is no longer on the team.`,
        redirect: ({ personId }, c) =>
          personId === c.var.pageContext.person.id ? '/dashboard' : teamLink(c).href,
      },
    },
  );

/**
 * Explains which API keys stay valid and which connected apps end when a person leaves the
 * organization.
 */
export const offboardingSummary = (
  { keys, apps }: Awaited<ReturnType<typeof removalImpact>>,
  organizationId: string,
): Html =>
  html`${
    keys.length
      ? html`<p>
            These <a href="/dashboard/${organizationId}/api-keys">API keys</a> stay valid because
            they belong to the organization. Revoke the keys that must no longer be used:
          </p>
          <ul>
            ${keys.map(({ id, name }) => html`<li>${name} <code class="small">${id}</code></li>`)}
          </ul>`
      : html`<p>No active API keys were created by this account.</p>`
  }
  ${
    apps.length
      ? html`<p>These connected apps will be disconnected because nobody else approved them:</p>
          <ul>
            ${apps.map(({ name }) => html`<li>${name}</li>`)}
          </ul>`
      : ''
  }`;
