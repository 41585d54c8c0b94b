import { ConnectError, notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import type { Deps } from '../../deps.ts';
import { syncAccount } from '../../../payments/accounts.ts';
import { addDomain, listDomains, removeDomain } from '../../../payments/domains.ts';
import { startOnboarding as createOnboardingUrl } from '../../../payments/onboarding.ts';
import { readForm } from '../../read-form.ts';
import type { DashboardEnv } from '../env.ts';
import { dashboardPage, timeZoneOf } from '../dashboard-layout.ts';
import { paymentsView, type AccountView } from './payments-view.ts';

/**
 * Dashboard page “Card payments”: the organization's connected Stripe account, and the domains
 * where Apple Pay and Google Pay may be shown.
 */
export const payments = (deps: Deps) => {
  const pathOf = (c: Context<DashboardEnv>) =>
    `/dashboard/${c.var.organization.organizationId}/payments`;

  /** Redirects to Stripe's onboarding, which returns the person to this page. */
  async function onboard(c: Context<DashboardEnv>): Promise<Response> {
    const pageUrl = deps.baseUrl + pathOf(c);
    const urls = { returnUrl: `${pageUrl}/back`, refreshUrl: `${pageUrl}/again` };
    const { organizationId } = c.var.organization;
    return c.redirect(await createOnboardingUrl(deps, organizationId, urls), 303);
  }

  /**
   * Runs an operation and shows a `ConnectError`, for example when Stripe is unavailable, as a
   * message on this page.
   */
  async function withErrorFlash(c: Context<DashboardEnv>, operation: () => Promise<Response>) {
    const result = await operation().catch(errorMessage);
    if (typeof result !== 'string') return result;
    return await c.var.redirectWithFlash(pathOf(c), { kind: 'problem', text: result });
  }

  return (
    new Hono<DashboardEnv>()
      .get('/', async (c) => {
        const { organizationId } = c.var.organization;
        const [account, domains] = await Promise.all([
          loadAccount(deps, organizationId),
          listDomains(deps.db, organizationId),
        ]);
        const content = paymentsView(
          { path: pathOf(c), timeZone: timeZoneOf(c.var.pageContext) },
          account,
          domains,
        );
        return c.html(dashboardPage(c.var.pageContext, 'Card payments', content));
      })
      .post('/onboarding', (c) => withErrorFlash(c, () => onboard(c)))
      // Stripe redirects to this path, its `refresh_url`, when the onboarding link has expired. A
      // new link is then created.
      .get('/again', async (c) => {
        const { account } = await loadAccount(deps, c.var.organization.organizationId);
        // Any website can link to this path. A connected account is therefore created only by
        // submitting the form.
        return account ? await withErrorFlash(c, () => onboard(c)) : c.redirect(pathOf(c), 303);
      })
      .get('/back', async (c) => {
        const { account } = await loadAccount(deps, c.var.organization.organizationId);
        const state = account && (await syncAccount(deps, account).catch(errorMessage));
        const ready = state && typeof state !== 'string' && state.chargesEnabled;
        const text = ready
          ? 'Your account can accept payments.'
          : 'Stripe may still be verifying your information.';
        return await c.var.redirectWithFlash(pathOf(c), { kind: 'success', text });
      })
      .post('/domains', async (c) => {
        const { organizationId: id } = c.var.organization;
        const { account } = await loadAccount(deps, id);
        if (!account) throw notFound('account', 'of the organization');
        const field = await readForm(c);
        return await withErrorFlash(c, async () => {
          const domain = await addDomain(deps, { id, account }, field('domain'));
          return await c.var.redirectWithFlash(pathOf(c), {
            kind: 'success',
            text: `${domain} added.`,
          });
        });
      })
      .post('/domains/remove', async (c) => {
        const domain = (await readForm(c))('domain');
        await removeDomain(deps.db, c.var.organization.organizationId, domain);
        return await c.var.redirectWithFlash(pathOf(c), {
          kind: 'success',
          text: `${domain} removed.`,
        });
      })
  );
};

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
