import type { Selectable } from 'kysely';
import type Stripe from 'stripe';
import { forOrganization } from '../../db/organization-scope.ts';
import type { WorkerDeps } from '../deps.ts';
import type { Db, Database } from '../../db/schema.ts';
import { describeMismatch, loadPaymentContext } from '../payment-context.ts';
import { sendReference } from '../send-reference.ts';
import { fetchAndSync } from '../sync.ts';
import { compareProcessing, compareStoredProcessing } from './compare-processing.ts';
import {
  type CompareOptions,
  type ReconciledAccount,
  type Reporter,
  repairDonation,
} from './difference.ts';

/** A donation with the amount and currency that its payment intent was created with. */
type DonationRow = Selectable<Database['donation']> & {
  agreed_cents: number | null;
  agreed_currency: string | null;
  /**
   * Whether any dispute is recorded, including a closed inquiry: Stripe keeps `disputed: true` for
   * it.
   */
  dispute_known: unknown;
};

/**
 * Compares an organization's donations with Stripe's list of payment intents, in both directions.
 */
export async function compareDonations(
  deps: WorkerDeps,
  organization: ReconciledAccount,
  options: CompareOptions,
  report: Reporter,
): Promise<void> {
  const listedIds = new Set<string>();
  for await (const intents of deps.processor.listIntents(organization.account, options.from)) {
    const paid = intents.filter(({ status }) => status === 'succeeded');
    const donations = await donationsOf(deps.db, organization.id, paid);
    const ownIntents = await findOwnIntents(
      deps.db,
      organization.id,
      paid.map(({ id }) => id),
    );
    for (const intent of paid) {
      listedIds.add(intent.id);
      const donation = donations.get(intent.id);
      const isNamed = intent.metadata['organization_id'] === organization.id;
      const isDonation = donation ?? (isNamed || ownIntents.has(intent.id));
      const description = isDonation && describeDifference(donation, intent);
      if (description)
        await repairDonation(deps, organization, { id: intent.id, description }, options, report);
      else if (donation && options.repair)
        await addMissingFields(deps, organization, donation, intent);
    }
    const processing = intents.filter(({ status }) => status === 'processing');
    await compareProcessing(deps, organization, options, processing, report);
    report.onChecked(intents.length);
  }
  await compareStoredProcessing(deps, organization, options, report);
  await compareUnlisted(deps, organization, options, listedIds, report);
}

async function donationsOf(db: Db, organizationId: string, intents: Stripe.PaymentIntent[]) {
  if (intents.length === 0) return new Map<string, DonationRow>();
  const ids = intents.map(({ id }) => id);
  const rows = await forOrganization(db, organizationId)
    .selectFrom('donation')
    .leftJoin('payment_intent', 'payment_intent.id', 'donation.processor_payment_intent_id')
    .selectAll('donation')
    .select(({ exists, selectFrom }) => [
      'payment_intent.amount_cents as agreed_cents',
      'payment_intent.currency as agreed_currency',
      exists(
        selectFrom('donation_dispute')
          .select('donation_dispute.id')
          .whereRef('donation_dispute.donation_id', '=', 'donation.id'),
      ).as('dispute_known'),
    ])
    .where('processor_payment_intent_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.processor_payment_intent_id!, row]));
}

/**
 * Returns which of these payment intents were created here as one-time donations to the
 * organization. The first payments of subscriptions are matched by their invoices.
 */
async function findOwnIntents(
  db: Db,
  organizationId: string,
  paymentIntentIds: readonly string[],
): Promise<Set<string>> {
  if (paymentIntentIds.length === 0) return new Set();
  const rows = await forOrganization(db, organizationId)
    .selectFrom('payment_intent')
    .select('id')
    .where('id', 'in', paymentIntentIds)
    .where('plan_id', 'is', null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Compares the fields that Stripe's list contains. If any differs, the whole payment is fetched.
 */
function describeDifference(
  donation: DonationRow | undefined,
  intent: Stripe.PaymentIntent,
): string | undefined {
  const { amount_received: amount, currency } = intent;
  if (!donation) return `a donation of ${amount} ${currency} was not recorded`;
  if (donation.amount_cents !== amount || donation.currency !== currency) {
    return `${donation.amount_cents} ${donation.currency} is recorded, ${amount} ${currency} was paid`;
  }
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  if (!charge) return undefined;
  const { amount_refunded: refunded, disputed, balance_transaction: balanceTransaction } = charge;
  if (donation.refunded_amount_cents !== refunded) {
    return `${donation.refunded_amount_cents} is recorded as refunded, but ${refunded} was refunded`;
  }
  if (disputed && !donation.dispute_known) return 'a dispute is not recorded';
  const isFeeKnown = typeof balanceTransaction === 'object' && balanceTransaction !== null;
  if (isFeeKnown && donation.fee_cents === null && donation.settlement_currency === null)
    return 'the fee is not recorded';
  const { agreed_cents, agreed_currency } = donation;
  if (agreed_cents === null || agreed_currency === null) return undefined;
  const expected = { amount_cents: agreed_cents, currency: agreed_currency };
  return describeMismatch(expected, { amountCents: amount, currency });
}

/**
 * Adds a missing payment method to a donation, and its missing reference to the metadata of its
 * payment intent. Donations from before these features lack them, and sending the reference may
 * have failed. Amounts are unaffected, so this is not reported as a difference.
 */
async function addMissingFields(
  deps: WorkerDeps,
  { account }: ReconciledAccount,
  donation: DonationRow,
  { id: paymentIntentId, metadata, latest_charge: charge }: Stripe.PaymentIntent,
): Promise<void> {
  const method = typeof charge === 'object' ? charge?.payment_method_details?.type : undefined;
  if (donation.payment_method === null && method) {
    const context = await loadPaymentContext(deps.db, account, paymentIntentId);
    if (context) await fetchAndSync(deps, context);
  } else {
    await sendReference(deps, { account }, { paymentIntentId, metadata }, donation.reference);
  }
}

/**
 * Reports recorded donations that Stripe does not show as paid. Fetches each donation that was not
 * in the list, because its payment intent may be older than the start of the list.
 */
async function compareUnlisted(
  deps: WorkerDeps,
  { id: organizationId, account, livemode }: ReconciledAccount,
  { from }: CompareOptions,
  listedIds: ReadonlySet<string>,
  report: Reporter,
): Promise<void> {
  const rows = await forOrganization(deps.db, organizationId)
    .selectFrom('donation')
    .select(['id', 'processor_payment_intent_id as intentId'])
    .where('processor_payment_intent_id', 'is not', null)
    .where('livemode', '=', livemode)
    .where('created_at', '>=', from)
    .execute();
  for (const { id, intentId } of rows) {
    if (!intentId || listedIds.has(intentId)) continue;
    report.onChecked(1);
    if (await deps.processor.findSucceededPayment(intentId, account, 'fresh')) continue;
    const description = `the donation ${id} is recorded, but Stripe does not report it as paid`;
    report.onDifference({ organizationId, id: intentId, description, isRepaired: false });
  }
}
