import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import { ownedId } from './owned-id.ts';
import type { PaymentContext } from './payment-context.ts';
import { referenceIfReserved } from './reference.ts';
import type { PaymentState } from './stripe/payment-state.ts';

/** The columns of a payment intent that a crash lost after the request to Stripe. */
export const lostIntentColumns = (
  tx: Db,
  organizationId: string,
  {
    paymentIntentId,
    livemode,
    amountCents,
    currency,
    metadata,
  }: Pick<PaymentState, 'paymentIntentId' | 'livemode' | 'amountCents' | 'currency' | 'metadata'>,
) => ({
  id: paymentIntentId,
  livemode,
  amount_cents: amountCents,
  currency,
  fund_id: ownedId(tx, 'fund', organizationId, metadata['fund_id']),
  campaign_id: ownedId(tx, 'campaign', organizationId, metadata['campaign_id']),
  form_id: ownedId(tx, 'form', organizationId, metadata['form_id']),
  form_name: metadata['form_name'] ?? null,
  plan_id: ownedId(tx, 'recurring_plan', organizationId, metadata['plan_id']),
  reference: referenceIfReserved(organizationId, metadata['reference']),
  source: metadata['source'] === 'embed' ? ('embed' as const) : ('api' as const),
  source_id: metadata['source_id'] ?? '',
});

/**
 * The columns of a payment intent with its donor. The payments of a recurring donation have no metadata of ours, so
 * their donor is that of the recurring donation.
 */
export function payerColumns(
  { organizationId, intent }: Pick<PaymentContext, 'organizationId' | 'intent'>,
  metadata: Record<string, string>,
) {
  const planId = intent?.plan_id ?? metadata['plan_id'];
  const column = (name: 'donor_name' | 'donor_email' | 'locale') =>
    planId
      ? sql<string | null>`(select ${sql.ref(name)} from recurring_plan
          where organization_id = ${organizationId} and id = ${planId})`
      : (metadata[name] ?? null);
  return {
    donor_name: column('donor_name'),
    donor_email: column('donor_email'),
    locale: column('locale'),
  };
}
