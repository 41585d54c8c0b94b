import { Hono } from 'hono';
import { findOwnServer } from '@connect-embed/api/db/own-server';
import { findOwnKeys } from '@connect-embed/api/payments/own-keys/manage-keys';
import { loadProgress } from '../home/checklist/progress.ts';
import type { Deps } from '../pages/deps.ts';
import type { DashboardEnv } from '../pages/env.ts';
import { renderPage } from '../pages/render-page.ts';
import { goLiveSteps } from './go-live-steps.ts';
import { goLiveView } from './go-live-view.ts';
import { loadGoLiveState } from './load-state.ts';

/** Page “Take real donations”: the steps from test keys to the first real donation, and the way back. */
export const goLive = (deps: Deps) =>
  new Hono<DashboardEnv>().get('/', async (c) => {
    const { organization } = c.var;
    const { organizationId } = organization;
    const [state, { formSlug, isPublished }, keys, server] = await Promise.all([
      loadGoLiveState(deps.db, organizationId),
      loadProgress(deps.db, organizationId),
      findOwnKeys(deps, organizationId),
      findOwnServer(deps, organizationId),
    ]);
    const formUrl =
      isPublished && formSlug && server ? `${server}/give/${formSlug}?amount=1` : undefined;
    const steps = goLiveSteps({ organization, state, keys, formUrl });
    return renderPage(c, {
      title: 'Take real donations',
      content: goLiveView(organization, state, steps, keys !== undefined),
    });
  });
