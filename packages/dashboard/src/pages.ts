import { limitBody } from '@connect-embed/contract/hono';
import { Hono, type ErrorHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from './pages/deps.ts';
import { CONSENT_PATH } from '@connect-embed/api/oauth/paths';
import { INVITATION_PATH, RESET_PATH } from '@connect-embed/api/users/links';
import { PasswordQueueFullError } from '@connect-embed/api/users/errors';
import { consentRoutes } from './consent/consent.ts';
import { FORMS_SCRIPT, FORMS_SCRIPT_PATH } from './pages/script.ts';
import { POSTER_STYLE, POSTER_STYLE_PATH } from './forms/share/poster.ts';
import { dashboard } from './dashboard.ts';
import { forgotPassword } from './sign-in/forgot-password.ts';
import { siteBuilderGuides } from './help/site-builders.ts';
import { PAGE_HEADERS } from '@connect-embed/api/http/security-headers';
import { invitation } from './sign-in/invitation.ts';
import { immutableFile, messagePage } from '@connect-embed/api/http/page-shell';
import { requireKnownHost } from './mailbox/known-hosts.ts';
import { mailbox } from './mailbox/mailbox.ts';
import { limitUpload } from './pages/limit-upload.ts';
import { requireSameOriginForms } from './pages/same-site.ts';
import { SETUP_PATH } from '@connect-embed/api/setup/setup-link';
import { organizationSetup } from './setup/organization.ts';
import { ownerSetup } from './setup/owner.ts';
import { SETUP_SCRIPT, SETUP_SCRIPT_PATH } from './setup/script.ts';
import { CODE_PATH, signInCode } from './sign-in/sign-in-code.ts';
import { signIn } from './sign-in/sign-in.ts';

/** Routes of all HTML pages for people who sign in: sign-in, OAuth consent and the dashboard. */
export function memberPages(deps: Deps) {
  const app = new Hono<Env>();
  for (const [path, type, content] of STATIC_FILES) {
    app.get(path, (c) => c.body(content, 200, immutableFile(`text/${type}`)));
  }
  for (const [path, limit] of GUARDED_PATHS) {
    app.use(path, setPageHeaders, requireSameOriginForms(deps), limit);
  }
  return app
    .onError(passwordQueueFullPage)
    .route('/', signIn(deps))
    .route('/', signInCode(deps))
    .route('/', forgotPassword(deps))
    .route('/', invitation(deps))
    .route('/', ownerSetup(deps))
    .route('/', organizationSetup(deps))
    .route('/', consentRoutes(deps))
    .route('/', siteBuilderGuides(deps))
    .route('/', dashboard(deps))
    .route('/', deps.mailConfig.mailbox ? developmentPages(deps) : new Hono<Env>());
}

/** Routes of the development mailbox, which need no sign-in. Mounted only if the mailbox is on. */
const developmentPages = (deps: Deps) =>
  new Hono<Env>()
    .use('/dev/*', requireKnownHost(deps.baseUrl))
    .route('/dev/mailbox', mailbox(deps));

/** Files whose path contains a hash of their content. */
const STATIC_FILES = [
  [POSTER_STYLE_PATH, 'css', POSTER_STYLE],
  [FORMS_SCRIPT_PATH, 'javascript', FORMS_SCRIPT],
  [SETUP_SCRIPT_PATH, 'javascript', SETUP_SCRIPT],
] as const;

/** Paths of pages, and the limit of the forms that they accept. Only members can send files. */
const GUARDED_PATHS = [
  ['/sign-in', limitBody],
  [CODE_PATH, limitBody],
  ['/sign-out', limitBody],
  ['/forgot-password', limitBody],
  [RESET_PATH, limitBody],
  [INVITATION_PATH, limitBody],
  [`${SETUP_PATH}/*`, limitUpload],
  [`${CONSENT_PATH}/*`, limitBody],
  ['/help/*', limitBody],
  ['/dashboard/*', limitUpload],
] as const;

/** Renders the error page for a full queue of password hashes. */
const passwordQueueFullPage: ErrorHandler<Env> = (error, c) => {
  if (!(error instanceof PasswordQueueFullError)) throw error;
  c.header('Retry-After', String(error.retryAfterSeconds));
  const text = `${error.message} Wait a few seconds, then go back and submit the form again.`;
  return c.html(messagePage('Try again', text), 503);
};

/**
 * Middleware that sets the response headers before the handler runs, so that error pages have them
 * too.
 */
const setPageHeaders = createMiddleware<Env>(async (c, next) => {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
  await next();
});
