import { ConnectError, notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import type { Deps } from '../pages/deps.ts';
import { syncAccount } from '@connect-embed/api/payments/accounts';
import { addDomain, listDomains, removeDomain } from '@connect-embed/api/payments/domains';
import { findOwnKeys } from '@connect-embed/api/payments/own-keys/manage-keys';
import { startOnboarding as createOnboardingUrl } from '@connect-embed/api/payments/onboarding';
import { saveChosenMethodTypes } from '@connect-embed/api/payments/payment-method-types';
import { readForm } from '@connect-embed/api/http/read-form';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { readFields } from '../pages/fields.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import { allowedSitesPath } from '../allowed-sites/website-actions.ts';
import { ownKeys } from './own-keys.ts';
import { paymentsView, type AccountView } from './payments-view.ts';

/**
 * Dashboard page “Payments”: the organization's connected Stripe account, the payment methods that donors are
 * offered, and the domains where Apple Pay and Google Pay may be shown.
 */
export const payments = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .get('/', (c) => renderPayments(c, deps))
    .route('/keys', ownKeys(deps))
    .post('/onboarding', (c) => withErrorFlash(c, () => startOnboarding(c, deps)))
    .get('/again', (c) => restartOnboarding(c, deps))
    .get('/back', (c) => finishOnboarding(c, deps))
    .post('/methods', (c) => saveSubmittedMethods(c, deps))
    .post('/domains', (c) => addSubmittedDomain(c, deps))
    .post('/domains/remove', (c) => removeSubmittedDomain(c, deps));

const pathOf = (c: DashboardContext) => organizationPath(c, '/payments');

async function renderPayments(c: DashboardContext, deps: Deps) {
  const { organizationId, timeZone, currency, role } = c.var.organization;
  const [account, domains, keys] = await Promise.all([
    loadAccount(deps, organizationId),
    listDomains(deps.db, organizationId),
    findOwnKeys(deps, organizationId),
  ]);
  const { hasPlatform, livemode: isPlatformLive } = deps.processor;
  const page = {
    path: pathOf(c),
    allowedSitesPath: allowedSitesPath(c),
    goLivePath: organizationPath(c, '/go-live'),
    timeZone,
    currency,
    hasPlatform,
    isPlatformLive,
    isOwner: role === 'owner',
  };
  const content = paymentsView(page, { ...account, keys }, domains);
  return renderPage(c, { title: 'Payments', content });
}

/** Redirects to Stripe's onboarding, which returns the person to this page. */
async function startOnboarding(c: DashboardContext, deps: Deps): Promise<Response> {
  const pageUrl = deps.baseUrl + pathOf(c);
  const urls = { returnUrl: `${pageUrl}/back`, refreshUrl: `${pageUrl}/again` };
  const { organizationId } = c.var.organization;
  return c.redirect(await createOnboardingUrl(deps, organizationId, urls), 303);
}

/**
 * Creates a new onboarding link. Stripe redirects to this page, its `refresh_url`, when the link has
 * expired. Any website can link to this page, so a connected account is created only by submitting
 * the form.
 */
async function restartOnboarding(c: DashboardContext, deps: Deps): Promise<Response> {
  const { account } = await loadAccount(deps, c.var.organization.organizationId);
  if (!account) return c.redirect(pathOf(c), 303);
  return await withErrorFlash(c, () => startOnboarding(c, deps));
}

/** Shows the state of the account after Stripe's onboarding. */
async function finishOnboarding(c: DashboardContext, deps: Deps): Promise<Response> {
  const { account } = await loadAccount(deps, c.var.organization.organizationId);
  const state = account && (await syncAccount(deps, account).catch(errorMessage));
  const isReady = state && typeof state !== 'string' && state.chargesEnabled;
  const text = isReady
    ? 'Your account can accept payments.'
    : 'Stripe may still be verifying your information.';
  return await c.var.redirectWithFlash(pathOf(c), { kind: isReady ? 'success' : 'note', text });
}

async function saveSubmittedMethods(c: DashboardContext, { db }: Deps): Promise<Response> {
  const { organizationId, role } = c.var.organization;
  if (role !== 'owner')
    throw new ConnectError('forbidden', 'Only an owner can change the payment methods.');
  const fields = await readFields(c);
  await saveChosenMethodTypes(db, organizationId, fields.values('payment_method_types'));
  const text = 'Payment methods saved. Forms on your website offer them within an hour.';
  return await c.var.redirectWithFlash(pathOf(c), { kind: 'success', text });
}

async function addSubmittedDomain(c: DashboardContext, deps: Deps): Promise<Response> {
  const { organizationId: id } = c.var.organization;
  const { account } = await loadAccount(deps, id);
  if (!account) throw notFound('account', 'of the organization');
  const field = await readForm(c);
  return await withErrorFlash(c, async () => {
    const domain = await addDomain(deps, { id, account }, field('domain'));
    const text = `${domain} added.`;
    return await c.var.redirectWithFlash(pathOf(c), { kind: 'success', text });
  });
}

async function removeSubmittedDomain(c: DashboardContext, { db }: Deps): Promise<Response> {
  const domain = (await readForm(c))('domain');
  await removeDomain(db, c.var.organization.organizationId, domain);
  return await c.var.redirectWithFlash(pathOf(c), { kind: 'success', text: `${domain} removed.` });
}

/**
 * Runs an operation and shows a `ConnectError`, for example when Stripe is unavailable, as a message
 * on this page.
 */
async function withErrorFlash(c: DashboardContext, operation: () => Promise<Response>) {
  const result = await operation().catch(errorMessage);
  if (typeof result !== 'string') return result;
  return await c.var.redirectWithFlash(pathOf(c), { kind: 'problem', text: result });
}

/**
 * Returns the message of a `ConnectError`.
 *
 * @throws any other error unchanged
 */
function errorMessage(error: unknown): string {
  if (error instanceof ConnectError) return error.message;
  throw error;
}

/**
 * Loads the saved state of the connected account. If it was never synced, it is fetched from Stripe
 * first.
 */
async function loadAccount(deps: Deps, organizationId: string): Promise<AccountView> {
  const read = () =>
    deps.db
      .selectFrom('organization')
      .leftJoin('processor_account', 'processor_account.organization_id', 'organization.id')
      .where('organization.id', '=', organizationId)
      .select(['organization.processor_account_id as account', 'charges_enabled'])
      .select([
        'organization.payment_method_types as chosen_methods',
        'processor_account.payment_method_types',
      ])
      .select([
        'payouts_enabled',
        'details_submitted',
        'disabled_reason',
        'requirements_due',
        'fetched_at',
      ])
      .executeTakeFirstOrThrow();
  const row = await read();
  const { account } = row;
  if (!account || row.fetched_at) return row;
  await syncAccount(deps, account).catch(errorMessage);
  return await read();
}
