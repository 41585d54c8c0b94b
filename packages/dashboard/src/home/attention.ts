import { html } from 'hono/html';
import { sql } from 'kysely';
import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import type { Html } from '@connect-embed/api/lib/html';
import { listRefusedSites } from '@connect-embed/api/resources/allowed-sites/site-requests';
import { disabledReasonText } from '../payments/account-messages.ts';
import type { Membership } from '@connect-embed/api/users/membership';
import { CHARGED_AFTER_ERASURE } from '../recurring-donations/erased-donor.ts';
import { NEEDS_PAYMENT_METHOD } from '../recurring-donations/lost-method.ts';

/** A failed payout is shown this long. */
const PAYOUT_DAYS = 30;

/** What needs attention: the number of records of each kind. */
interface Attention {
  disputes: number;
  failingPlans: number;
  plansWithoutMethod: number;
  /** Recurring donations of erased donors that Stripe still charges. */
  plansOfErasedDonors: number;
  failedPayouts: number;
  /** 1 if Stripe no longer accepts the organization's own keys. */
  rejectedKeys: number;
  /** Websites that could not show a form in the last day, for those who can allow them. */
  refusedSites: number;
}

const COUNT = sql<number>`count(*)::int`.as('count');

/** Counts what the member may see and should act on. */
export async function loadAttention(
  db: Db,
  { organizationId, permissions, role }: Membership,
): Promise<Attention> {
  const rows = forOrganization(db, organizationId);
  const [disputes, plans, plansWithoutMethod, plansOfErased, payouts, keys, sites] =
    await Promise.all([
      rows
        .selectFrom('donation')
        .select(COUNT)
        .where(isCounted('donation', organizationId))
        .where('dispute_status', '=', 'open')
        .executeTakeFirstOrThrow(),
      rows
        .selectFrom('recurring_plan')
        .select(COUNT)
        .where(isCounted('recurring_plan', organizationId))
        .where('status', '=', 'past_due')
        .executeTakeFirstOrThrow(),
      rows
        .selectFrom('recurring_plan')
        .select(COUNT)
        .where(isCounted('recurring_plan', organizationId))
        .where(NEEDS_PAYMENT_METHOD)
        .executeTakeFirstOrThrow(),
      rows
        .selectFrom('recurring_plan')
        .select(COUNT)
        .where(isCounted('recurring_plan', organizationId))
        .where(CHARGED_AFTER_ERASURE)
        .executeTakeFirstOrThrow(),
      permissions.has('payouts:read')
        ? rows
            .selectFrom('payout')
            .select(COUNT)
            .where(isCounted('payout', organizationId))
            .where('status', '=', 'failed')
            .where('created_at', '>', sql<Date>`now() - ${`${PAYOUT_DAYS} days`}::interval`)
            .executeTakeFirstOrThrow()
        : { count: 0 },
      rows
        .selectFrom('processor_account')
        .select(COUNT)
        .where('disabled_reason', '=', 'keys_rejected')
        .executeTakeFirstOrThrow(),
      role === 'member' ? [] : listRefusedSites(db, organizationId),
    ]);
  return {
    disputes: disputes.count,
    failingPlans: plans.count,
    plansWithoutMethod: plansWithoutMethod.count,
    plansOfErasedDonors: plansOfErased.count,
    failedPayouts: payouts.count,
    rejectedKeys: keys.count,
    refusedSites: sites.length,
  };
}

/** Renders links to what needs attention; empty if nothing does. */
export function attentionView(
  {
    disputes,
    failingPlans,
    plansWithoutMethod,
    plansOfErasedDonors,
    failedPayouts,
    rejectedKeys,
    refusedSites,
  }: Attention,
  path: string,
): Html | '' {
  const items = [
    [disputes, 'open dispute', 'open disputes', '/donations?status=disputed'],
    [
      failingPlans,
      'recurring donation whose payment failed',
      'recurring donations whose payment failed',
      '/plans/failing',
    ],
    [
      plansWithoutMethod,
      'recurring donation needs another payment method',
      'recurring donations need another payment method',
      '/plans?needs=method',
    ],
    [
      plansOfErasedDonors,
      'recurring donation of an erased donor is still charged',
      'recurring donations of erased donors are still charged',
      '/plans?donor=erased',
    ],
    [failedPayouts, 'failed payout', 'failed payouts', '/payouts?status=failed'],
    [
      refusedSites,
      'website could not show your form',
      'websites could not show your form',
      '/allowed-sites',
    ],
  ] as const;
  const open = items.filter(([number]) => number > 0);
  if (open.length === 0 && rejectedKeys === 0) return '';
  return html`<section class="notice attention" aria-labelledby="attention">
    <h2 id="attention">Needs attention</h2>
    <ul class="plain">
      ${
        rejectedKeys > 0
          ? html`<li>
              <a href="${path}/payments">${disabledReasonText('keys_rejected')}</a>
            </li>`
          : ''
      }
      ${open.map(
        ([number, one, many, href]) =>
          html`<li><a href="${path}${href}">${number} ${number === 1 ? one : many}</a></li>`,
      )}
    </ul>
  </section>`;
}
