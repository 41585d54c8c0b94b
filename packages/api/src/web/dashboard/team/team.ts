import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { listInvitations } from '../../../users/invitations.ts';
import { listMembers, setSecondFactorRequired } from '../../../users/team.ts';
import { readForm } from '../../read-form.ts';
import type { DashboardEnv } from '../env.ts';
import { dashboardPage } from '../dashboard-layout.ts';
import { lacksSecondFactor, redirectToSecondFactorSetup } from '../require-second-factor.ts';
import { invitations } from './invitations.ts';
import { member } from './member.ts';
import { teamView } from './team-view.ts';

/**
 * Dashboard pages of the team: members, roles, open invitations and the two-step sign-in
 * requirement.
 */
export const team = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { pageContext, organization } = c.var;
      const { organizationId } = organization;
      const [members, invited] = await Promise.all([
        listMembers(deps.db, organizationId),
        listInvitations(deps.db, organizationId),
      ]);
      const content = teamView(pageContext.path, {
        ownPersonId: pageContext.person.id,
        organization,
        members,
        invited,
      });
      return c.html(dashboardPage(pageContext, 'Team', content));
    })
    .post('/two-step', async (c) => {
      const { organizationId, organizationName } = c.var.organization;
      const required = (await readForm(c))('required') === 'on';
      if (!required && lacksSecondFactor(c.var)) {
        return await redirectToSecondFactorSetup(c, `/dashboard/${organizationId}/team`);
      }
      const actor = { organizationId, personId: c.var.pageContext.person.id };
      await setSecondFactorRequired(deps.db, actor, required);
      const text = required
        ? `${organizationName} now requires two-step sign-in for refunds.`
        : `${organizationName} no longer requires two-step sign-in for refunds.`;
      return await c.var.redirectWithFlash(`/dashboard/${organizationId}/team`, {
        kind: 'success',
        text,
      });
    })
    .route('/invitations', invitations(deps))
    .route('/:person', member(deps));
