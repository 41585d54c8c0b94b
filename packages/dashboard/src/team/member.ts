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
import { readForm } from '@connect-embed/api/http/read-form';
import type { Html } from '@connect-embed/api/lib/html';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { actionRoutes } from '../pages/actions.ts';
import { renderPage } from '../pages/render-page.ts';
import { requireSecondFactor } from '../pages/require-second-factor.ts';
import { resultOrFormError } from '../pages/to-form-error.ts';
import { readRolePermissions, roleFields } from './role-form.ts';
import { teamLink } from './team-view.ts';

/** Dashboard pages of one team member: change their role and permissions, or remove them. */
export const member = ({ db, webhooks }: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', requireSecondFactor, async (c) => renderEditPage(c, await loadMember(c, db)))
    .post('/', (c) => saveRole(c, db))
    .route('/', memberActions(db, webhooks.enqueue));

const loadMember = (c: DashboardContext, db: Db): Promise<Member> =>
  findMember(db, c.var.organization.organizationId, c.req.param('person') ?? '');

/** Identifies the change of a member and who makes it. */
const changeOf = (c: DashboardContext, { personId }: Member) => ({
  organizationId: c.var.organization.organizationId,
  actorId: c.var.pageContext.person.id,
  personId,
});

function renderEditPage(c: DashboardContext, member: Member, problem?: string) {
  const { href } = teamLink(c);
  const content = html`<form method="post" action="${href}/${member.personId}" class="panel">
    <p class="muted">${member.email}</p>
    ${roleFields(c.var.organization, member)}
    <button>Save</button>
  </form>`;
  return renderPage(c, {
    title: member.name,
    backLink: teamLink(c),
    content,
    problem,
  });
}

async function saveRole(c: DashboardContext, db: Db) {
  const member = await loadMember(c, db);
  const newPermissions = readRolePermissions(await readForm(c));
  if (!newPermissions) return renderEditPage(c, member, 'Choose a role.');
  const problem = await resultOrFormError(() =>
    changeMember(db, changeOf(c, member), newPermissions),
  );
  if (problem) return renderEditPage(c, { ...member, ...newPermissions }, problem);
  const text = `${member.name}’s role was updated.`;
  return await c.var.redirectWithFlash(teamLink(c).href, { kind: 'success', text });
}

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
