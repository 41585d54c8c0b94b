import { createMiddleware } from 'hono/factory';
import { PROTECTED_ACTIONS_TEXT } from '../../users/assert-second-factor.ts';
import type { DashboardContext, DashboardEnv } from './env.ts';
import { TWO_STEP_PATH } from './two-step/two-step.ts';

/**
 * Returns whether the organization requires two-step sign-in and the signed-in person has not
 * turned it on.
 */
export const lacksSecondFactor = ({
  organization,
  pageContext,
}: DashboardEnv['Variables']): boolean =>
  organization.requiresSecondFactor && !pageContext.person.hasSecondFactor;

/** Redirects to the setup page of two-step sign-in, which continues to `next` afterwards. */
export function redirectToSecondFactorSetup(c: DashboardContext, next: string): Promise<Response> {
  const { organizationName } = c.var.organization;
  const text = `${organizationName} requires two-step sign-in for ${PROTECTED_ACTIONS_TEXT}. Set it up to continue.`;
  const query = new URLSearchParams({ next });
  return c.var.redirectWithFlash(`${TWO_STEP_PATH}?${query}`, { kind: 'problem', text });
}

/**
 * Middleware for pages that refund or change who may refund. If the organization requires two-step
 * sign-in and the person has not turned it on, they are redirected to set it up and then back. The
 * functions behind these pages check the requirement as well (`assertSecondFactor`):
 * docs/decisions/0084-sign-in-security.md
 */
export const requireSecondFactor = createMiddleware<DashboardEnv>(async (c, next) =>
  lacksSecondFactor(c.var) ? await redirectToSecondFactorSetup(c, c.req.path) : await next(),
);
