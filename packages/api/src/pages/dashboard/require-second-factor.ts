import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { PROTECTED_ACTIONS } from '../../users/assert-second-factor.ts';
import type { DashboardEnv } from './dashboard.ts';
import { TWO_STEP_PATH } from './two-step/two-step.ts';

/** Whether the organization requires two-step sign-in, and whoever looks has not turned it on. */
export const lacksSecondFactor = ({ organization, place }: DashboardEnv['Variables']): boolean =>
  organization.requiresSecondFactor && !place.person.hasSecondFactor;

/** Leads to the page where two-step sign-in is turned on, and from there to `next`. */
export function redirectToSecondFactorSetup(
  c: Context<DashboardEnv>,
  next: string,
): Promise<Response> {
  const { organizationName } = c.var.organization;
  const text = `${organizationName} requires two-step sign-in for ${PROTECTED_ACTIONS}. Set it up, then you can go on.`;
  const query = new URLSearchParams({ next });
  return c.var.goOn(`${TWO_STEP_PATH}?${query}`, { kind: 'problem', text });
}

/**
 * Before a page that refunds or changes who may, where the organization requires two-step sign-in: leads whoever has
 * not turned it on to where they do, and back. The functions behind the pages check it themselves
 * (`assertSecondFactor`). Docs: docs/decisions/0085-two-step-sign-in.md
 */
export const requireSecondFactor = createMiddleware<DashboardEnv>(async (c, next) =>
  lacksSecondFactor(c.var) ? await redirectToSecondFactorSetup(c, c.req.path) : await next(),
);
