import { Hono } from 'hono';
import type { Deps } from '../pages/deps.ts';
import { listInvitations } from '@connect-embed/api/users/invitations';
import { listMembers, setSecondFactorRequired } from '@connect-embed/api/users/team';
import { readForm } from '@connect-embed/api/http/read-form';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { invitations } from './invitations.ts';
import { member } from './member.ts';
import { teamView } from './team-view.ts';

/**
 * Dashboard pages of the team: members, roles, open invitations and the two-step sign-in
 * requirement.
 */
export const team = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', (c) => renderTeam(c, deps))
    .post('/two-step', (c) => saveSecondFactorRequirement(c, deps))
    .route('/invitations', invitations(deps))
    .route('/:person', member(deps));

async function renderTeam(c: DashboardContext, { db }: Deps) {
  const { pageContext, organization } = c.var;
  const [members, invited] = await Promise.all([
    listMembers(db, organization.organizationId),
    listInvitations(db, organization.organizationId),
  ]);
  const team = { ownPersonId: pageContext.person.id, organization, members, invited };
  return renderPage(c, { title: 'Team', content: teamView(pageContext.path, team) });
}

async function saveSecondFactorRequirement(c: DashboardContext, { db }: Deps) {
  const { organizationId, organizationName } = c.var.organization;
  const path = organizationPath(c, '/team');
  const required = (await readForm(c))('required') === 'on';
  const actor = { organizationId, personId: c.var.pageContext.person.id };
  await setSecondFactorRequired(db, actor, required);
  const text = required
    ? `${organizationName} now requires two-step sign-in for changes and exports.`
    : `${organizationName} no longer requires two-step sign-in for changes and exports.`;
  return await c.var.redirectWithFlash(path, { kind: 'success', text });
}
