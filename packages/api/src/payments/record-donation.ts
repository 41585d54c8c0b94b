import { sql, type Transaction } from 'kysely';
import { acrossOrganizations, forOrganization } from '../db/organization-scope.ts';
import type { Database } from '../db/schema.ts';
import { newId } from '../lib/id.ts';
import { enqueueReceipt } from '../mail/queue.ts';
import { donationColumns } from './donation-columns.ts';
import { lockPayoutLinks } from './sync-payout.ts';
import { findReservedReference, referenceIfUnused } from './reference.ts';
import { findOwnedId } from './find-owned-id.ts';
import type { DonationState, PaymentContext } from './payment-context.ts';
import type { PaymentSnapshot } from './stripe/payments.ts';

type Tx = Transaction<Database>;

/**
 * Records a donation that Stripe reports as paid. Repeated calls record it once.
 *
 * Donor, donation, state of the payment intent and queued receipt are written in the caller's
 * transaction, which also stores the processor event.
 *
 * @param version row version, which was drawn before the payment was fetched
 * @returns the donation, and whether this call recorded it
 */
export async function recordDonation(
  tx: Tx,
  context: RecordingContext,
  payment: PaymentSnapshot,
  version: number,
): Promise<{ donation: DonationState; isNew: boolean }> {
  const { organizationId } = context;
  const { metadata } = payment;
  await lockPayment(tx, payment.paymentIntentId);
  // Another transaction may have recorded it since the payment was fetched.
  const existing = await findDonation(tx, payment.paymentIntentId);
  if (existing) return { donation: existing, isNew: false };
  await lockPayoutLinks(tx, organizationId, 'donation');
  const contactId = metadata['donor_email']
    ? await upsertDonor(tx, organizationId, metadata)
    : null;
  const planId = await findOwnedId(tx, 'recurring_plan', organizationId, metadata['plan_id']);
  const donation = await insertDonation(tx, context, payment, { contactId, planId, version });
  await markIntentSucceeded(tx, organizationId, payment, planId);
  if (metadata['donor_email']) await enqueueReceipt(tx, organizationId, donation.id);
  return { donation, isNew: true };
}

/** The organization and, if it is known here, the payment intent of the payment. */
type RecordingContext = Pick<PaymentContext, 'organizationId' | 'intent'>;

async function insertDonation(
  tx: Tx,
  { organizationId, intent }: RecordingContext,
  payment: PaymentSnapshot,
  {
    contactId,
    planId,
    version,
  }: { contactId: string | null; planId: string | null; version: number },
): Promise<DonationState> {
  const { metadata } = payment;
  // Our payment intent takes precedence over Stripe's metadata, which the organization can edit.
  const fundId = intent?.fund_id ?? metadata['fund_id'];
  const campaignId = intent?.campaign_id ?? metadata['campaign_id'];
  const formId = intent?.form_id ?? metadata['form_id'];
  const reference = await findReference(tx, { organizationId, intent }, metadata);
  return await forOrganization(tx, organizationId)
    .insertInto('donation', {
      id: newId('don'),
      amount_cents: payment.amountCents,
      ...donationColumns({ amount_cents: payment.amountCents }, payment),
      row_version: version,
      currency: payment.currency,
      recurring: planId !== null,
      plan_id: planId,
      locale: metadata['locale'] ?? null,
      donor_name: metadata['donor_name'] ?? null,
      donor_email: metadata['donor_email'] ?? null,
      fund_id: await findOwnedId(tx, 'fund', organizationId, fundId),
      campaign_id: await findOwnedId(tx, 'campaign', organizationId, campaignId),
      form_id: await findOwnedId(tx, 'form', organizationId, formId),
      contact_id: contactId,
      source: intent?.source ?? (metadata['source'] === 'embed' ? 'embed' : 'api'),
      source_id: intent?.source_id || (metadata['source_id'] ?? null),
      processor_payment_intent_id: payment.paymentIntentId,
      paid_at: payment.paidAt,
      payout_id: await findPayout(tx, organizationId, payment.paymentIntentId),
      ...(reference && { reference }),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Finds the reference that was reserved for the donation, unless another donation has it. */
function findReference(
  tx: Tx,
  { organizationId, intent }: RecordingContext,
  metadata: Record<string, string>,
) {
  if (intent?.reference) return referenceIfUnused(tx, organizationId, intent.reference);
  // The metadata of a subscription contains the reference of its first donation; each payment gets
  // its own.
  const metadataReference = metadata['plan_id'] ? undefined : metadata['reference'];
  return findReservedReference(tx, organizationId, metadataReference);
}

/** Finds the donation of a payment, also if it is recorded for another organization. */
const findDonation = (tx: Tx, paymentIntentId: string): Promise<DonationState | undefined> =>
  acrossOrganizations(tx)
    .selectFrom('donation')
    .selectAll()
    .where('processor_payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst();

/**
 * Makes concurrent transactions that record the same payment wait for each other before they insert
 * its donation. Otherwise one can wait in the index of payment intents and the other in the index of
 * references, and PostgreSQL ends one of them as deadlocked.
 */
const lockPayment = (tx: Tx, paymentIntentId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`payment ${paymentIntentId}`}, 0))`.execute(
    tx,
  );

/** A payout may be recorded before the donations in it. */
async function findPayout(tx: Tx, organizationId: string, paymentIntentId: string) {
  const entry = await forOrganization(tx, organizationId)
    .selectFrom('payout_donation')
    .select('payout_id')
    .where('processor_payment_intent_id', '=', paymentIntentId)
    .where('type', '=', 'donation')
    .orderBy('created_at')
    .executeTakeFirst();
  return entry?.payout_id ?? null;
}

/**
 * Finds or creates the donor with this email address; without an address, creates one. Missing names are
 * added but existing ones never replaced, because anyone can enter any address in a form.
 */
export async function upsertDonor(
  tx: Tx,
  organizationId: string,
  { donor_email, donor_name, source }: Partial<Record<string, string>>,
): Promise<string> {
  const { id } = await forOrganization(tx, organizationId)
    .insertInto('donor', {
      id: newId('dnr'),
      email: donor_email ?? null,
      ...splitName(donor_name),
      source: source === 'embed' ? 'embed' : 'api',
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'email_key']).doUpdateSet({
        first_name: sql`coalesce(donor.first_name, excluded.first_name)`,
        last_name: sql`coalesce(donor.last_name, excluded.last_name)`,
        updated_at: sql`clock_timestamp()`,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The first word is the first name, the rest is the last name. */
function splitName(name = '') {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  return { first_name: first || null, last_name: rest.join(' ') || null };
}

/**
 * Sets the intent to `succeeded`, its final state. Inserts it if a crash after the request to Stripe
 * lost it.
 */
const markIntentSucceeded = (
  tx: Tx,
  organizationId: string,
  payment: PaymentSnapshot,
  planId: string | null,
) =>
  forOrganization(tx, organizationId)
    .insertInto('payment_intent', {
      id: payment.paymentIntentId,
      amount_cents: payment.amountCents,
      currency: payment.currency,
      status: 'succeeded',
      // Marks the intent as the payment of a plan, which Stripe's payment intent does not say.
      plan_id: planId,
      source: payment.metadata['source'] === 'embed' ? 'embed' : 'api',
      source_id: payment.metadata['source_id'] ?? '',
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ status: 'succeeded', failure_code: null, failure_message: null })
        .where('payment_intent.organization_id', '=', organizationId),
    )
    .execute();
