import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../deps.ts';
import {
  changeMember,
  findMember,
  removalImpact,
  removeMember,
  type Member,
} from '../../../users/team.ts';
import { readForm } from '../../read-form.ts';
import type { Html } from '../../../lib/html.ts';
import { confirmation } from '../confirmation.ts';
import type { DashboardEnv, FlashMessage } from '../env.ts';
import { dashboardPage } from '../dashboard-layout.ts';
import { requireSecondFactor } from '../require-second-factor.ts';
import { resultOrFormError } from '../to-form-error.ts';
import { readRolePermissions, roleFields } from './role-form.ts';

/** Dashboard pages of one team member: change their role and permissions, or remove them. */
export const member = ({ db }: Deps) => {
  const find = (c: Context<DashboardEnv>) =>
    findMember(db, c.var.organization.organizationId, c.req.param('person') ?? '');
  return new Hono<DashboardEnv>()
    .get('/', requireSecondFactor, async (c) => c.html(editPage(c, await find(c))))
    .post('/', async (c) => {
      const member = await find(c);
      const newPermissions = readRolePermissions(await readForm(c));
      if (!newPermissions) return c.html(editPage(c, member, 'Choose a role.'), 400);
      const problem = await resultOrFormError(() =>
        changeMember(db, changeOf(c, member), newPermissions),
      );
      if (problem) return c.html(editPage(c, { ...member, ...newPermissions }, problem), 400);
      return await c.var.redirectWithFlash(
        listOf(c),
        successFlash(`${member.name}’s role was updated.`),
      );
    })
    .get('/remove', async (c) => {
      const member = await find(c);
      const { organizationId, organizationName } = c.var.organization;
      const impact = await removalImpact(db, organizationId, member.personId);
      const text = html`<p>
          ${member.name} (${member.email}) will lose access to ${organizationName} immediately.
        </p>
        ${offboardingSummary(impact, organizationId)}`;
      const content = confirmation({
        text,
        buttonLabel: `Remove ${member.name}`,
        cancelHref: listOf(c),
      });
      return c.html(dashboardPage(pageContextOf(c), `Remove ${member.name}?`, content));
    })
    .post('/remove', async (c) => {
      const member = await find(c);
      const problem = await resultOrFormError(() => removeMember(db, changeOf(c, member)));
      if (problem)
        return await c.var.redirectWithFlash(listOf(c), { kind: 'problem', text: problem });
      const flash = successFlash(`${member.name} is no longer on the team.`);
      return await c.var.redirectWithFlash(
        member.personId === c.var.pageContext.person.id ? '/dashboard' : listOf(c),
        flash,
      );
    });
};

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

const listOf = (c: Context<DashboardEnv>) => `/dashboard/${c.var.organization.organizationId}/team`;

const pageContextOf = (c: Context<DashboardEnv>) => ({
  ...c.var.pageContext,
  backLink: { href: listOf(c), text: 'Team' },
});

const changeOf = (c: Context<DashboardEnv>, { personId }: Member) => ({
  organizationId: c.var.organization.organizationId,
  actorId: c.var.pageContext.person.id,
  personId,
});

const successFlash = (text: string): FlashMessage => ({ kind: 'success', text });

function editPage(c: Context<DashboardEnv>, member: Member, problem?: string) {
  const pageContext = pageContextOf(c);
  const content = html`<form method="post" action="${listOf(c)}/${member.personId}" class="panel">
    <p class="muted">${member.email}</p>
    ${roleFields(c.var.organization, member)}
    <button>Save</button>
  </form>`;
  const flash = problem ? ({ kind: 'problem', text: problem } as const) : pageContext.flash;
  return dashboardPage(pageContext, member.name, content, flash);
}
