import { html } from 'hono/html';
import { sql, type RawBuilder } from 'kysely';
import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import type { Html } from '@connect-embed/api/lib/html';
import { selectRefunds } from '../donations/refunds-and-disputes.ts';
import { disabledReasonText } from '../payments/account-messages.ts';
import type { Membership } from '@connect-embed/api/users/membership';
import { CHARGED_AFTER_ERASURE } from '../recurring-donations/erased-donor.ts';
import { NEEDS_PAYMENT_METHOD } from '../recurring-donations/lost-method.ts';

/** A failed payout or refund is shown this long. */
const FAILURE_DAYS = 30;

/** What needs attention: the number of records of each kind. */
interface Attention {
  disputes: number;
  failingPlans: number;
  plansWithoutMethod: number;
  /** Recurring donations of erased donors that Stripe still charges. */
  plansOfErasedDonors: number;
  failedPayouts: number;
  failedRefunds: number;
  /** 1 if Stripe no longer accepts the organization's own keys. */
  rejectedKeys: number;
}

/** Counts what the member may see and should act on. */
export async function loadAttention(
  db: Db,
  { organizationId, permissions }: Membership,
): Promise<Attention> {
  /** Counts the records of a table that count and meet a condition. */
  const count = async (
    table: 'donation' | 'recurring_plan' | 'payout',
    condition: RawBuilder<boolean>,
  ) => {
    const row = await forOrganization(db, organizationId)
      .selectFrom(table)
      .select(sql<number>`count(*)::int`.as('count'))
      .where(isCounted(table, organizationId))
      .where(condition)
      .executeTakeFirstOrThrow();
    return row.count;
  };
  const since = sql<Date>`now() - ${`${FAILURE_DAYS} days`}::interval`;
  const [
    disputes,
    failingPlans,
    plansWithoutMethod,
    plansOfErasedDonors,
    failedPayouts,
    failedRefunds,
    keys,
  ] = await Promise.all([
    count('donation', sql`dispute_status = 'open'`),
    count('recurring_plan', sql`status = 'past_due'`),
    count('recurring_plan', NEEDS_PAYMENT_METHOD),
    count('recurring_plan', CHARGED_AFTER_ERASURE),
    permissions.has('payouts:read')
      ? count('payout', sql`status = 'failed' and created_at > ${since}`)
      : 0,
    selectRefunds(db, organizationId, { status: 'failed' })
      .where('refund.created_at', '>', since)
      .where('refund.failure_reason', 'is distinct from', 'canceled')
      .clearSelect()
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow(),
    forOrganization(db, organizationId)
      .selectFrom('processor_account')
      .select('id')
      .where('disabled_reason', '=', 'keys_rejected')
      .execute(),
  ]);
  return {
    disputes,
    failingPlans,
    plansWithoutMethod,
    plansOfErasedDonors,
    failedPayouts,
    failedRefunds: failedRefunds.count,
    rejectedKeys: keys.length,
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
    failedRefunds,
    rejectedKeys,
  }: Attention,
  path: string,
): Html | '' {
  const items = [
    [
      disputes,
      'open dispute or inquiry',
      'open disputes or inquiries',
      '/donations?status=disputed',
    ],
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
    [failedRefunds, 'failed refund', 'failed refunds', '/donations/refunds?status=failed'],
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
