import { limitBody } from '@connect-embed/contract/hono';
import { Hono, type ErrorHandler } from 'hono';
import { requireMembership } from './pages/require-membership.ts';
import { requireSignIn } from './pages/require-sign-in.ts';
import { webhooks } from './webhooks/webhooks.ts';
import { team } from './team/team.ts';
import { search } from './search/search.ts';
import { receipts } from './receipts/receipts.ts';
import { programs } from './programs/programs.ts';
import { recurringPlans } from './recurring-donations/plans.ts';
import { payments } from './payments/payments.ts';
import { organizationProfile } from './organization/organization.ts';
import { requireSecondFactorToChange } from './pages/require-second-factor.ts';
import { refund } from './donations/refund.ts';
import { ORGANIZATION_PATH } from './setup/owner.ts';
import { lacksOrganization } from '@connect-embed/api/setup/set-up';
import { home } from './home/home.ts';
import { forms } from './forms/forms.ts';
import { goLive } from './go-live/go-live.ts';
import { payouts } from './payouts/payouts.ts';
import { donors } from './donors/donors.ts';
import { donations } from './donations/donations.ts';
import { receipt } from './donations/receipt.ts';
import type { DashboardContext, DashboardEnv, PageContext } from './pages/env.ts';
import { dashboardPage } from './pages/dashboard-layout.ts';
import { connectedApps } from './connected-apps/connected-apps.ts';
import { checklistPages, withChecklist } from './home/checklist/checklist.ts';
import { apps } from './oauth-apps/apps.ts';
import { apiKeys } from './api-keys/api-keys.ts';
import { allowedSites } from './allowed-sites/allowed-sites.ts';
import { requirePermission } from './pages/require-permission.ts';
import { account } from './account/account.ts';
import type { Html } from '@connect-embed/api/lib/html';
import { html } from 'hono/html';
import { ConnectError, notFound, statusOf } from '@connect-embed/contract';
import { createMiddleware } from 'hono/factory';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from './pages/deps.ts';
import { CONSENT_PATH } from '@connect-embed/api/oauth/paths';
import { INVITATION_PATH, RESET_PATH } from '@connect-embed/api/users/links';
import { PasswordQueueFullError } from '@connect-embed/api/users/errors';
import { consentRoutes } from './consent/consent.ts';
import { FORMS_SCRIPT, FORMS_SCRIPT_PATH } from './pages/script.ts';
import { POSTER_STYLE, POSTER_STYLE_PATH } from './forms/share/poster.ts';
import { forgotPassword } from './sign-in/forgot-password.ts';
import { manualPages } from './help/manual.ts';
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
    .route('/', manualPages())
    .route('/', dashboard(deps))
    .route('/', deps.mailConfig.mailbox ? developmentPages(deps) : new Hono<Env>());
}

/**
 * Routes of the dashboard: pages for signed-in people, and pages of an organization for its
 * members.
 */
const dashboard = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .onError((error, c) => {
      if (!(error instanceof ConnectError) || statusOf(error) >= 500) throw error;
      return c.html(problemPage(c, error), statusOf(error));
    })
    .use('/dashboard/*', requireSignIn(deps), requireSecondFactorToChange)
    .get('/dashboard', async (c) => {
      if (await lacksOrganization(deps.db)) return c.redirect(ORGANIZATION_PATH, 303);
      const { memberships, organization = memberships[0] } = c.var.pageContext;
      return c.redirect(`/dashboard/${organization?.organizationId ?? 'apps'}`, 303);
    })
    .route('/dashboard/apps', apps(deps))
    .route('/dashboard/account', account(deps))
    .use('/dashboard/:organization/*', requireMembership(deps), withChecklist(deps))
    .route('/dashboard/:organization', checklistPages(deps))
    .use('/dashboard/:organization/go-live/*', requirePermission('admin'))
    .route('/dashboard/:organization/go-live', goLive(deps))
    .route('/dashboard/:organization', home(deps))
    .route('/dashboard/:organization', search(deps))
    .use('/dashboard/:organization/forms/*', requirePermission('reference:read', { members: true }))
    .route('/dashboard/:organization/forms', forms(deps))
    .route('/dashboard/:organization', programs(deps))
    .use('/dashboard/:organization/donations/*', requirePermission('donations:read'))
    .route('/dashboard/:organization/donations', donations(deps))
    .route('/dashboard/:organization/donations', refund(deps))
    .route('/dashboard/:organization/donations', receipt(deps))
    .use('/dashboard/:organization/plans/*', requirePermission('donations:read'))
    .route('/dashboard/:organization/plans', recurringPlans(deps))
    .use('/dashboard/:organization/donors/*', requirePermission('donors:read'))
    .route('/dashboard/:organization/donors', donors(deps))
    .use('/dashboard/:organization/payouts/*', requirePermission('payouts:read'))
    .route('/dashboard/:organization/payouts', payouts(deps))
    .use('/dashboard/:organization/organization/*', requirePermission('admin'))
    .route('/dashboard/:organization/organization', organizationProfile(deps))
    .use('/dashboard/:organization/team/*', requirePermission('admin'))
    .route('/dashboard/:organization/team', team(deps))
    .use('/dashboard/:organization/allowed-sites/*', requirePermission('admin'))
    .route('/dashboard/:organization/allowed-sites', allowedSites(deps))
    .use('/dashboard/:organization/payments/*', requirePermission('admin'))
    .route('/dashboard/:organization/payments', payments(deps))
    .use('/dashboard/:organization/receipts/*', requirePermission('admin'))
    .route('/dashboard/:organization/receipts', receipts(deps))
    .use('/dashboard/:organization/api-keys/*', requirePermission('admin'))
    .route('/dashboard/:organization/api-keys', apiKeys(deps))
    .use('/dashboard/:organization/webhooks/*', requirePermission('webhooks:write'))
    .route('/dashboard/:organization/webhooks', webhooks(deps))
    .use('/dashboard/:organization/connected-apps/*', requirePermission('admin'))
    .route('/dashboard/:organization/connected-apps', connectedApps(deps))
    .get('/dashboard/*', (c) => {
      throw notFound('page', c.req.path);
    });

/** Renders an error page, with the navigation if the person is signed in. */
const problemPage = (c: DashboardContext, { type, message: text }: ConnectError): Html => {
  const pageContext = c.var.pageContext as PageContext | undefined;
  const [title, body] = type === 'not_found' ? NOT_FOUND : (['Request failed', text] as const);
  if (!pageContext) return messagePage(title, body, HOME);
  return dashboardPage(
    pageContext,
    title,
    html`<p>${body}</p>
      <p><a class="button" href="${HOME.href}">${HOME.text}</a></p>`,
  );
};

const HOME = { href: '/dashboard', text: 'Go to the dashboard' };
const NOT_FOUND = [
  'Page not found',
  'This page does not exist, or you do not have access to it.',
] as const;

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
