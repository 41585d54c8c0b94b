import { ConnectError, notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import type { Deps } from '../../../env.ts';
import { syncAccount } from '../../../money/accounts.ts';
import { addDomain, listDomains, removeDomain } from '../../../money/domains.ts';
import { startOnboarding as leadToProcessor } from '../../../money/onboarding.ts';
import { readForm } from '../../form.ts';
import type { DashboardEnv } from '../dashboard.ts';
import { frame, zoneOf } from '../frame.ts';
import { paymentsView } from './payments-view.ts';

/** Card payments: the organization's account at the processor, and where wallets may show. */
export const payments = (deps: Deps) => {
  const pathOf = (c: Context<DashboardEnv>) =>
    `/dashboard/${c.var.organization.organizationId}/payments`;

  /** On to the processor, which asks what it has to know and leads back here. */
  async function onboard(c: Context<DashboardEnv>): Promise<Response> {
    const here = deps.baseUrl + pathOf(c);
    const places = { returnUrl: `${here}/back`, refreshUrl: `${here}/again` };
    const { organizationId } = c.var.organization;
    return c.redirect(await leadToProcessor(deps, organizationId, places), 303);
  }

  /** What the rules or an absent processor refuse is said on this page. */
  async function telling(c: Context<DashboardEnv>, act: () => Promise<Response>) {
    const answer = await act().catch(sentenceOf);
    if (typeof answer !== 'string') return answer;
    return await c.var.goOn(pathOf(c), { kind: 'problem', text: answer });
  }

  return (
    new Hono<DashboardEnv>()
      .get('/', async (c) => {
        const { organizationId } = c.var.organization;
        const [account, domains] = await Promise.all([
          accountOf(deps, organizationId),
          listDomains(deps.db, organizationId),
        ]);
        const content = paymentsView(
          { path: pathOf(c), timeZone: zoneOf(c.var.place) },
          account,
          domains,
        );
        return c.html(frame(c.var.place, 'Card payments', content));
      })
      .post('/onboarding', (c) => telling(c, () => onboard(c)))
      // The link had run out before it was used; the processor sends people here.
      .get('/again', async (c) => {
        const { account } = await accountOf(deps, c.var.organization.organizationId);
        // Anybody's page can lead here: an account is opened by the button alone.
        return account ? await telling(c, () => onboard(c)) : c.redirect(pathOf(c), 303);
      })
      .get('/back', async (c) => {
        const { account } = await accountOf(deps, c.var.organization.organizationId);
        const state = account && (await syncAccount(deps, account).catch(sentenceOf));
        const ready = state && typeof state !== 'string' && state.chargesEnabled;
        const text = ready
          ? 'Your account may take payments.'
          : 'Welcome back. The processor may still be checking what you told it.';
        return await c.var.goOn(pathOf(c), { kind: 'good', text });
      })
      .post('/domains', async (c) => {
        const { organizationId: id } = c.var.organization;
        const { account } = await accountOf(deps, id);
        if (!account) throw notFound('account', 'of the organization');
        const field = await readForm(c);
        return await telling(c, async () => {
          const domain = await addDomain(deps, { id, account }, field('domain'));
          return await c.var.goOn(pathOf(c), { kind: 'good', text: `${domain} is registered.` });
        });
      })
      .post('/domains/remove', async (c) => {
        const domain = (await readForm(c))('domain');
        await removeDomain(deps.db, c.var.organization.organizationId, domain);
        return await c.var.goOn(pathOf(c), { kind: 'good', text: `${domain} is not listed now.` });
      })
  );
};

/** @throws what is no error of ours */
function sentenceOf(error: unknown): string {
  if (error instanceof ConnectError) return error.message;
  throw error;
}

export type AccountView = Awaited<ReturnType<typeof accountOf>>;

/** What is known of the account; asked for where nothing was ever told. */
async function accountOf(deps: Deps, organizationId: string) {
  const read = () =>
    deps.db
      .selectFrom('organization')
      .leftJoin('processor_account', 'processor_account.organization_id', 'organization.id')
      .where('organization.id', '=', organizationId)
      .select(['organization.processor_account_id as account', 'charges_enabled'])
      .select(['payouts_enabled', 'details_submitted', 'disabled_reason', 'due', 'read_at'])
      .executeTakeFirstOrThrow();
  const row = await read();
  const { account } = row;
  if (!account || row.read_at) return row;
  await syncAccount(deps, account).catch(sentenceOf);
  return await read();
}
