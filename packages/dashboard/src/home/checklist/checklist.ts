import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Deps } from '../../pages/deps.ts';
import type { DashboardContext, DashboardEnv } from '../../pages/env.ts';
import { hasPermission } from '../../pages/navigation.ts';
import { findOwnServer } from '@connect-embed/api/db/own-server';
import { organizationPath } from '../../pages/render-page.ts';
import { requirePermission } from '../../pages/require-permission.ts';
import { checklistView, nextStepView } from './checklist-view.ts';
import { closeChecklist, loadProgress } from './progress.ts';
import { connectServer } from './server.ts';
import { stepsOf } from './steps.ts';
import { testDonation } from './test-donation.ts';

/**
 * Middleware that loads the checklist for owners and admins while it is shown. It disappears when all
 * steps are done, or when an owner hides it.
 */
export const withChecklist = (deps: Deps) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    const { organization, pageContext } = c.var;
    if (organization.isChecklistOpen && hasPermission(organization, 'admin')) {
      const { organizationId } = organization;
      const [progress, server] = await Promise.all([
        loadProgress(deps.db, organizationId),
        findOwnServer(deps, organizationId),
      ]);
      const steps = stepsOf(progress, { server, isLive: organization.livemode === true });
      const next = steps.find(({ isDone }) => !isDone);
      if (next) {
        c.set('pageContext', {
          ...pageContext,
          checklist: checklistView({ steps, next }, organization),
          nextStep: nextStepView({ steps, next }, organization, pageContext.path),
        });
      } else await closeChecklist(deps.db, organizationId);
    }
    return await next();
  });

/** Pages of the steps that have no other page, and the button that hides the checklist. */
export const checklistPages = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .use('/server/*', requirePermission('admin'))
    .route('/server', connectServer(deps))
    .use('/test-donation/*', requirePermission('admin'))
    .route('/test-donation', testDonation(deps))
    .post('/checklist/hide', (c) => hideChecklist(c, deps));

async function hideChecklist(c: DashboardContext, { db }: Deps): Promise<Response> {
  const { organizationId, role } = c.var.organization;
  const isOwner = role === 'owner';
  if (isOwner) await closeChecklist(db, organizationId);
  return await c.var.redirectWithFlash(
    organizationPath(c, ''),
    isOwner
      ? { kind: 'success', text: 'The checklist is hidden.' }
      : { kind: 'problem', text: 'Only owners can hide the checklist.' },
  );
}
