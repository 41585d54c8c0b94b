import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../../env.ts';
import {
  changeMember,
  findMember,
  resourcesCreatedBy,
  removeMember,
  type Member,
} from '../../../users/team.ts';
import { readForm } from '../../read-form.ts';
import type { Html } from '../../layout.ts';
import { confirmation } from '../confirmation.ts';
import type { DashboardEnv } from '../dashboard.ts';
import { frame, type FlashMessage } from '../dashboard-layout.ts';
import { requireSecondFactor } from '../require-second-factor.ts';
import { resultOrFormError } from '../to-form-error.ts';
import { readRolePermissions, roleFields } from './role-form.ts';

/** Dashboard pages of one team member: change their role and permissions, or remove them. */
export const member = ({ db }: Deps) => {
  const find = (c: Context<DashboardEnv>) =>
    findMember(db, c.var.organization.organizationId, c.req.param('person') ?? '');
  return new Hono<DashboardEnv>()
    .get('/', requireSecondFactor, async (c) => c.html(changePage(c, await find(c))))
    .post('/', async (c) => {
      const found = await find(c);
      const to = readRolePermissions(await readForm(c));
      if (!to) return c.html(changePage(c, found, 'Choose a role.'), 400);
      const problem = await resultOrFormError(() => changeMember(db, changeOf(c, found), to));
      if (problem) return c.html(changePage(c, { ...found, ...to }, problem), 400);
      return await c.var.goOn(listOf(c), good(`${found.name}’s role was updated.`));
    })
    .get('/remove', async (c) => {
      const found = await find(c);
      const { organizationId, organizationName } = c.var.organization;
      const left = await resourcesCreatedBy(db, organizationId, found.personId);
      const text = html`<p>
          ${found.name} (${found.email}) will lose access to ${organizationName} immediately.
        </p>
        ${offboardingSummary(left, organizationId)}`;
      const content = confirmation({ text, verb: `Remove ${found.name}`, back: listOf(c) });
      return c.html(frame(placeOf(c), `Remove ${found.name}?`, content));
    })
    .post('/remove', async (c) => {
      const found = await find(c);
      const problem = await resultOrFormError(() => removeMember(db, changeOf(c, found)));
      if (problem) return await c.var.goOn(listOf(c), { kind: 'problem', text: problem });
      const out = good(`${found.name} is no longer on the team.`);
      return await c.var.goOn(
        found.personId === c.var.place.person.id ? '/dashboard' : listOf(c),
        out,
      );
    });
};

/**
 * Explains which API keys stay valid and which connected apps end when a person leaves the
 * organization.
 */
export const offboardingSummary = (
  { keys, apps }: Awaited<ReturnType<typeof resourcesCreatedBy>>,
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

const placeOf = (c: Context<DashboardEnv>) => ({
  ...c.var.place,
  back: { href: listOf(c), text: 'Team' },
});

const changeOf = (c: Context<DashboardEnv>, { personId }: Member) => ({
  organizationId: c.var.organization.organizationId,
  actorId: c.var.place.person.id,
  personId,
});

const good = (text: string): FlashMessage => ({ kind: 'good', text });

function changePage(c: Context<DashboardEnv>, found: Member, problem?: string) {
  const place = placeOf(c);
  const content = html`<form method="post" action="${listOf(c)}/${found.personId}" class="panel">
    <p class="quiet">${found.email}</p>
    ${roleFields(c.var.organization, found)}
    <button>Save</button>
  </form>`;
  const notice = problem ? ({ kind: 'problem', text: problem } as const) : place.notice;
  return frame(place, found.name, content, notice);
}
