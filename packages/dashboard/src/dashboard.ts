import { ConnectError, notFound, statusOf } from '@connect-embed/contract';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { html } from 'hono/html';
import type { Deps } from './pages/deps.ts';
import { attackUntil } from '@connect-embed/api/payments/fraud/attack-mode';
import { countSiteRequests } from '@connect-embed/api/resources/allowed-sites/site-requests';
import { membershipsOf } from '@connect-embed/api/users/membership';
import { messagePage } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import { account } from './account/account.ts';
import { requirePermission } from './pages/require-permission.ts';
import { allowedSites } from './allowed-sites/allowed-sites.ts';
import { apiKeys } from './api-keys/api-keys.ts';
import { apps } from './oauth-apps/apps.ts';
import { attackBanner } from './home/attack.ts';
import { checklistPages, withChecklist } from './home/checklist/checklist.ts';
import { connectedApps } from './connected-apps/connected-apps.ts';
import { dashboardPage } from './pages/dashboard-layout.ts';
import type { DashboardContext, DashboardEnv, PageContext } from './pages/env.ts';
import { receipt } from './donations/receipt.ts';
import { donations } from './donations/donations.ts';
import { donors } from './donors/donors.ts';
import { payouts } from './payouts/payouts.ts';
import { createRedirectWithFlash, readFlash } from './pages/redirect-with-flash.ts';
import { forms } from './forms/forms.ts';
import { home } from './home/home.ts';
import { lacksOrganization } from '@connect-embed/api/setup/set-up';
import { ORGANIZATION_PATH } from './setup/owner.ts';
import { hasPermission } from './pages/navigation.ts';
import {
  setCurrentOrganization,
  readCurrentOrganization,
} from './pages/current-organization-cookie.ts';
import { refund } from './donations/refund.ts';
import { requireSecondFactorToChange } from './pages/require-second-factor.ts';
import { organizationProfile } from './organization/organization.ts';
import { payments } from './payments/payments.ts';
import { recurringPlans } from './recurring-donations/plans.ts';
import { programs } from './programs/programs.ts';
import { receipts } from './receipts/receipts.ts';
import { search } from './search/search.ts';
import { team } from './team/team.ts';
import { webhooks } from './webhooks/webhooks.ts';

/**
 * Routes of the dashboard: pages for signed-in people, and pages of an organization for its
 * members.
 */
export const dashboard = (deps: Deps) =>
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

const requireSignIn = (deps: Deps) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    const people = await deps.loadPeople();
    const session = await people.getSession(c.req.raw.headers);
    if (!session) {
      // The query string is kept, because the URL of a filtered list can be shared.
      const next = c.req.path + new URL(c.req.url).search;
      return c.redirect(`/sign-in?${new URLSearchParams({ next })}`, 303);
    }
    const { person } = session;
    const memberships = await membershipsOf(deps.db, person.id);
    const flash = await readFlash(c, deps.flashEncrypter, person.id);
    c.set('redirectWithFlash', createRedirectWithFlash(c, deps, person.id));
    const organization = readCurrentOrganization(c, memberships);
    c.set('pageContext', {
      person,
      memberships,
      path: c.req.path,
      ...(organization && { organization }),
      ...(flash && { flash }),
    });
    return await next();
  });

/**
 * Middleware that requires a member of the organization. It responds with the same 404 for an
 * unknown organization and for one of which the person is not a member.
 */
const requireMembership = (deps: Deps) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    const id = c.req.param('organization') ?? '';
    const { pageContext } = c.var;
    const organization = pageContext.memberships.find(
      ({ organizationId }) => organizationId === id,
    );
    if (!organization) {
      throw notFound('organization', id);
    }
    if (organization !== pageContext.organization) setCurrentOrganization(c, deps, id);
    c.set('organization', organization);
    const [attackEndsAt, siteRequests] = await Promise.all([
      attackUntil(deps.db, id),
      hasPermission(organization, 'admin') ? countSiteRequests(deps.db, id) : 0,
    ]);
    c.set('pageContext', {
      ...pageContext,
      organization,
      siteRequests,
      ...(attackEndsAt && { banner: attackBanner(attackEndsAt, organization.timeZone) }),
    });
    return await next();
  });
