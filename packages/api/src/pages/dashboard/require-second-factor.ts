import { createMiddleware } from 'hono/factory';
import type { DashboardEnv } from './dashboard.ts';
import { TWO_STEP_PATH } from './two-step/two-step.ts';

/**
 * Before a refund, where the organization requires two-step sign-in: leads whoever has not turned it on to
 * the page where they do, and back. Docs: docs/decisions/0085-two-step-sign-in.md
 */
export const requireSecondFactor = createMiddleware<DashboardEnv>(async (c, next) => {
  const { organization, place } = c.var;
  if (!organization.requiresSecondFactor || place.person.hasSecondFactor) return await next();
  const text = `${organization.organizationName} requires two-step sign-in for refunds. Set it up, then you can refund.`;
  const query = new URLSearchParams({ next: c.req.path });
  return await c.var.goOn(`${TWO_STEP_PATH}?${query}`, { kind: 'problem', text });
});
