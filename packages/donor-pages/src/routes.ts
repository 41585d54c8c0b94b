import type { Env } from '@connect-embed/api/http/env';
import { Hono } from 'hono';
import type { Deps } from './deps.ts';
import { hostedRoutes } from './hosted-form/hosted.ts';
import { formPreview } from './hosted-form/preview.ts';
import { manageRoutes } from './manage-subscription/routes.ts';

/** Pages for donors that the API serves: hosted forms and their previews, and recurring donations. */
export const donorPages = (deps: Deps) =>
  new Hono<Env>()
    .route('/embed', hostedRoutes(deps))
    .route('/', formPreview(deps))
    .route('/plans', manageRoutes(deps));
