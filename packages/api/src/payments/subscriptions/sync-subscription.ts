import type { WorkerDeps } from '../deps.ts';
import { withStoredDonor } from '../stored-donor.ts';
import { nextRowVersion } from '../row-version.ts';
import { loadPaymentContext } from '../payment-context.ts';
import { sendReference } from '../send-reference.ts';
import { syncInTransaction, type SavedDonation } from '../sync.ts';
import type { Outcome } from '../stripe-events/event-handler.ts';
import type { SubscriptionSnapshot } from '../stripe/map-subscription.ts';
import type { PaymentSnapshot } from '../stripe/payments.ts';
import { isEventHandled, markEventHandled } from '../stripe-events/handled-events.ts';
import { findSubscriptions, originalMetadata, type SubscriptionRow } from './find-subscriptions.ts';
import { saveSubscription } from './save-subscription.ts';

/** Identifies the subscription to fetch from Stripe and the event that triggered it. */
interface SubscriptionRef {
  organizationId: string;
  /** Id of the organization's Stripe account. */
  account: string;
  subscriptionId: string;
  event?: { id: string; type: string };
  /** An invoice of the subscription that an event reported as paid. */
  paidInvoiceId?: string;
}

type SyncDeps = Pick<WorkerDeps, 'db' | 'processor' | 'webhooks' | 'log'>;

/**
 * Fetches a subscription from Stripe and updates it. If an invoice was paid, its payment is
 * recorded as a donation.
 *
 * Each payment intent has at most one donation, so repeated events in any order record one
 * donation: docs/decisions/0036-subscriptions.md
 */
export async function syncSubscription(deps: SyncDeps, ref: SubscriptionRef): Promise<Outcome> {
  const { db, processor, webhooks } = deps;
  const { organizationId, account, subscriptionId, event } = ref;
  if (event && (await isEventHandled(db, organizationId, event.id))) return 'duplicate';
  const rowVersion = await nextRowVersion(db);
  // Fetched before the transaction, so that no database connection waits for Stripe.
  const [snapshot, paid] = await Promise.all([
    processor.retrieveSubscription(subscriptionId, account),
    loadPayment(deps, ref),
  ]);
  const isOwn =
    snapshot.metadata['organization_id'] === organizationId ||
    (await findSubscriptions(db, organizationId, [subscriptionId])).has(subscriptionId);
  if (!isOwn) return 'ignored';
  let donation: SavedDonation | undefined;
  const outcome = await db.transaction().execute(async (tx): Promise<Outcome> => {
    if (event && !(await markEventHandled(tx, organizationId, event))) return 'duplicate';
    const changed = await saveSubscription(tx, { organizationId, snapshot, rowVersion });
    if (!paid) return changed ? 'recorded' : 'duplicate';
    // Read after `saveSubscription` has locked it.
    const row = (await findSubscriptions(tx, organizationId, [subscriptionId])).get(subscriptionId);
    const metadata = metadataOfPayment(row, snapshot, paid.payment);
    const isRecovered = row?.failed_invoice_id === ref.paidInvoiceId;
    const attributed = { ...paid.payment, metadata, isRecovered };
    donation = await syncInTransaction(tx, webhooks.enqueue, paid.context, attributed, rowVersion);
    return donation?.isChanged || changed ? 'recorded' : 'duplicate';
  });
  if (paid && donation) await sendReference(deps, ref, paid.payment, donation.reference);
  return outcome;
}

/**
 * Returns the metadata for a payment of a subscription, because payment intents of invoices have no
 * metadata of ours. Values from our database override those of the subscription at Stripe.
 *
 * The covered fee belongs to the subscription's present amount. An invoice of an earlier amount gets none: its own copy
 * of the metadata may be newer than its amount, because Stripe copies it when the invoice is finalized.
 */
function metadataOfPayment(
  row: SubscriptionRow | undefined,
  snapshot: SubscriptionSnapshot,
  { amountCents }: PaymentSnapshot,
): Record<string, string> {
  const { fee_cover_cents, ...others } = snapshot.metadata;
  const isPresentAmount = amountCents === snapshot.amountCents;
  const metadata = { ...others, ...(isPresentAmount && fee_cover_cents && { fee_cover_cents }) };
  if (!row) return metadata;
  return { ...withStoredDonor(metadata, row), ...originalMetadata(row) };
}

/** Loads and fetches the payment of a paid invoice. */
async function loadPayment(
  { db, processor }: SyncDeps,
  { paidInvoiceId, account }: SubscriptionRef,
) {
  const intentId =
    paidInvoiceId && (await processor.retrieveInvoicePayment(paidInvoiceId, account));
  const context = intentId && (await loadPaymentContext(db, account, intentId));
  if (!context) return undefined;
  const depth = context.donation ? 'everything' : 'fresh';
  const payment = await processor.retrieveSucceededPayment(intentId, account, depth);
  return { context, payment };
}
