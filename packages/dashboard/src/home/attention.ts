import { html } from 'hono/html';
import { sql, type RawBuilder } from 'kysely';
import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization, type OrganizationScope } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import { selectRefunds } from '../donations/refunds-and-disputes.ts';
import { disabledReasonText } from '../payments/account-messages.ts';
import type { Membership } from '@connect-embed/api/users/membership';
import { CHARGED_AFTER_ERASURE } from '../recurring-donations/erased-donor.ts';
import { NEEDS_PAYMENT_METHOD } from '../recurring-donations/lost-method.ts';

/** A failed payout or refund is shown this long. */
const FAILURE_DAYS = 30;

/** Records of one kind that need attention, and the page of the organization that lists them. */
interface AttentionItem {
  text: string;
  path: string;
}

/** Lists what the member may see and should act on. */
export async function loadAttention(
  db: Db,
  { organizationId, permissions }: Membership,
): Promise<AttentionItem[]> {
  const organization = forOrganization(db, organizationId);
  /** Counts the records of a table that count and meet a condition. */
  const count = (
    table: 'donation' | 'recurring_plan' | 'payout',
    condition: RawBuilder<boolean>,
  ): Promise<{ count: number }> =>
    organization
      .selectFrom(table)
      .select(sql<number>`count(*)::int`.as('count'))
      .where(isCounted(table, organizationId))
      .where(condition)
      .executeTakeFirstOrThrow();
  const item = async (
    counted: Promise<{ count: number }>,
    one: string,
    many: string,
    path: string,
  ): Promise<AttentionItem[]> => {
    const { count } = await counted;
    return count > 0 ? [{ text: `${count} ${count === 1 ? one : many}`, path }] : [];
  };
  const since = sql<Date>`now() - ${`${FAILURE_DAYS} days`}::interval`;
  const items = await Promise.all([
    rejectedKeys(organization),
    item(
      count('donation', sql`dispute_status = 'open'`),
      'open dispute or inquiry',
      'open disputes or inquiries',
      '/donations?status=disputed',
    ),
    item(
      count('recurring_plan', sql`status = 'past_due'`),
      'recurring donation whose payment failed',
      'recurring donations whose payment failed',
      '/plans/failing',
    ),
    item(
      count('recurring_plan', NEEDS_PAYMENT_METHOD),
      'recurring donation needs another payment method',
      'recurring donations need another payment method',
      '/plans?needs=method',
    ),
    item(
      count('recurring_plan', CHARGED_AFTER_ERASURE),
      'recurring donation of an erased donor is still charged',
      'recurring donations of erased donors are still charged',
      '/plans?donor=erased',
    ),
    permissions.has('payouts:read')
      ? item(
          count('payout', sql`status = 'failed' and created_at > ${since}`),
          'failed payout',
          'failed payouts',
          '/payouts?status=failed',
        )
      : [],
    item(
      selectRefunds(db, organizationId, { status: 'failed' })
        .where('refund.created_at', '>', since)
        .where('refund.failure_reason', 'is distinct from', 'canceled')
        .clearSelect()
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow(),
      'failed refund',
      'failed refunds',
      '/donations/refunds?status=failed',
    ),
  ]);
  return items.flat();
}

/** Stripe no longer accepts the organization's own keys. */
async function rejectedKeys(organization: OrganizationScope): Promise<AttentionItem[]> {
  const account = await organization
    .selectFrom('processor_account')
    .select('id')
    .where('disabled_reason', '=', 'keys_rejected')
    .executeTakeFirst();
  return account ? [{ text: disabledReasonText('keys_rejected'), path: '/payments' }] : [];
}

/** Renders links to what needs attention; empty if nothing does. */
export const attentionView = (items: readonly AttentionItem[], organizationPath: string) =>
  items.length > 0 &&
  html`<section class="notice attention" aria-labelledby="attention">
    <h2 id="attention">Needs attention</h2>
    <ul class="plain">
      ${items.map(
        ({ text, path }) => html`<li><a href="${organizationPath}${path}">${text}</a></li>`,
      )}
    </ul>
  </section>`;
