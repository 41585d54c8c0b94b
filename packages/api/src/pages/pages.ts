import { limitBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Deps, Env } from '../env.ts';
import { CONSENT_PATH } from '../oauth/provider.ts';
import { INVITATION_PATH, RESET_PATH } from '../users/links.ts';
import { consent } from './consent.ts';
import { dashboard } from './dashboard/dashboard.ts';
import { forgotten } from './forgotten.ts';
import { PAGE_HEADERS } from './headers.ts';
import { invitation } from './invitation.ts';
import { STYLE, STYLE_PATH } from './layout.ts';
import { sameSiteForms } from './same-site.ts';
import { signIn } from './sign-in.ts';

/** What people see of this service: they sign in, decide what apps may do, and administer. */
export function pages(deps: Deps) {
  const app = new Hono<Env>().get(STYLE_PATH, (c) =>
    c.body(STYLE, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
    }),
  );
  for (const path of GUARDED) {
    app.use(path, guardPages, sameSiteForms(deps), limitBody);
  }
  return app
    .route('/', signIn(deps))
    .route('/', forgotten(deps))
    .route('/', invitation(deps))
    .route('/', consent(deps))
    .route('/', dashboard(deps));
}

const GUARDED = [
  '/sign-in',
  '/sign-out',
  '/forgot-password',
  RESET_PATH,
  INVITATION_PATH,
  `${CONSENT_PATH}/*`,
  '/dashboard/*',
];

/** Set before the page is made, so that a page which is refused carries them too. */
const guardPages = createMiddleware<Env>(async (c, next) => {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
  await next();
});
