import { sql, type Expression, type QueryCreator } from 'kysely';
import { acrossOrganizations, forOrganization } from '../db/organization-scope.ts';
import type { Database, Tx } from '../db/schema.ts';
import { newId } from '../lib/id.ts';
import { insertReceipt } from '../mail/queue.ts';
import { donationColumns } from './donation-columns.ts';
import { lockPayoutLinks, payoutOf } from './payout-links.ts';
import { referenceIfReserved, referenceIfUnused } from './reference.ts';
import { withStoredDonor } from './stored-donor.ts';
import { ownedId } from './owned-id.ts';
import { DONATION_STATE, type DonationState, type PaymentContext } from './payment-context.ts';
import type { PaymentSnapshot } from './stripe/payments.ts';

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
  await lockPayment(tx, organizationId, payment.paymentIntentId);
  // Another transaction may have recorded it since the payment was fetched.
  const existing = await findDonation(tx, payment.paymentIntentId);
  if (existing) return { donation: existing, isNew: false };
  return { donation: await insertDonation(tx, context, payment, version), isNew: true };
}

/** The organization and, if it is known here, the payment intent of the payment. */
type RecordingContext = Pick<PaymentContext, 'organizationId' | 'intent'>;

/** Inserts a donation with its donor, the state of its payment intent and its receipt, in one statement. */
async function insertDonation(
  tx: Tx,
  { organizationId, intent }: RecordingContext,
  payment: PaymentSnapshot,
  version: number,
): Promise<DonationState> {
  const metadata = currentMetadata(intent, payment);
  const id = newId('don');
  const plan = ownedId(tx, 'recurring_plan', organizationId, metadata['plan_id']);
  let statement: QueryCreator<Database> = tx.with('succeeded', (query) =>
    markIntentSucceeded(query, organizationId, payment, plan),
  );
  if (metadata['donor_email']) {
    statement = statement
      .with('saved_donor', (query) => upsertDonor(query, organizationId, metadata))
      .with('receipt', (query) => insertReceipt(query, organizationId, id));
  }
  return await forOrganization(statement, organizationId)
    .insertInto('donation', {
      id,
      amount_cents: payment.amountCents,
      fee_cover_cents: feeCoverOf(payment.amountCents, metadata),
      ...donationColumns({ amount_cents: payment.amountCents }, payment),
      row_version: version,
      currency: payment.currency,
      recurring: sql`${plan} is not null`,
      plan_id: plan,
      recovered: payment.isRecovered ?? false,
      locale: metadata['locale'] ?? null,
      donor_name: metadata['donor_name'] ?? null,
      donor_email: metadata['donor_email'] ?? null,
      // Our payment intent takes precedence over Stripe's metadata, which the organization can edit.
      fund_id: ownedId(tx, 'fund', organizationId, intent?.fund_id ?? metadata['fund_id']),
      campaign_id: ownedId(
        tx,
        'campaign',
        organizationId,
        intent?.campaign_id ?? metadata['campaign_id'],
      ),
      form_id: ownedId(tx, 'form', organizationId, intent?.form_id ?? metadata['form_id']),
      contact_id: metadata['donor_email'] ? sql`(select id from saved_donor)` : null,
      form_name: intent?.form_name ?? metadata['form_name'] ?? null,
      page_origin: metadata['page_origin'] ?? null,
      dedication: metadata['dedication'] ?? null,
      comment: metadata['comment'] ?? null,
      source: intent?.source ?? (metadata['source'] === 'embed' ? 'embed' : 'api'),
      source_id: intent?.source_id || (metadata['source_id'] ?? null),
      processor_payment_intent_id: payment.paymentIntentId,
      paid_at: payment.paidAt,
      payout_id: payoutOf(tx, organizationId, sql.val(payment.paymentIntentId)),
      // A trigger gives the donation a free reference where this is null.
      reference: reservedReference(organizationId, intent, metadata),
    })
    .returning(DONATION_STATE)
    .executeTakeFirstOrThrow();
}

/**
 * Returns the metadata of a payment. The donor of one that was on its way may have been corrected or erased here since,
 * so Stripe's copy is not used.
 */
function currentMetadata(
  intent: RecordingContext['intent'],
  { metadata }: PaymentSnapshot,
): Record<string, string> {
  return intent?.status === 'processing' ? withStoredDonor(metadata, intent) : metadata;
}

/** Returns the part of the amount that covers the fee. It is checked, because the organization can edit the metadata. */
export function feeCoverOf(amountCents: number, metadata: Record<string, string>): number {
  const cents = Number(metadata['fee_cover_cents']);
  return Number.isSafeInteger(cents) && cents > 0 && cents < amountCents ? cents : 0;
}

/** SQL: the reference that was reserved for the donation; null if another donation has it. */
function reservedReference(
  organizationId: string,
  intent: RecordingContext['intent'],
  metadata: Record<string, string>,
) {
  if (intent?.reference) return referenceIfUnused(organizationId, intent.reference);
  // The metadata of a subscription contains the reference of its first donation; each payment gets
  // its own.
  const metadataReference = metadata['plan_id'] ? undefined : metadata['reference'];
  return referenceIfReserved(organizationId, metadataReference);
}

/** Finds the donation of a payment, also if it is recorded for another organization. */
const findDonation = (tx: Tx, paymentIntentId: string): Promise<DonationState | undefined> =>
  acrossOrganizations(tx)
    .selectFrom('donation')
    .select(DONATION_STATE)
    .where('processor_payment_intent_id', '=', paymentIntentId)
    .executeTakeFirst();

/**
 * Makes concurrent transactions that record the same payment wait for each other before they insert
 * its donation. Otherwise one can wait in the index of payment intents and the other in the index of
 * references, and PostgreSQL ends one of them as deadlocked. Also acquires the lock of payout links.
 */
const lockPayment = (tx: Tx, organizationId: string, paymentIntentId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`payment ${paymentIntentId}`}, 0)),
    ${lockPayoutLinks(organizationId, 'donation')}`.execute(tx);

/**
 * Returns the statement that finds or creates the donor with this email address, which may be that of a merged donor;
 * without an address, it creates one. Missing names are added but existing ones never replaced, because anyone can enter any
 * address in a form.
 */
export const upsertDonor = (
  query: QueryCreator<Database>,
  organizationId: string,
  { donor_email, donor_name, source }: Partial<Record<string, string>>,
) =>
  forOrganization(query, organizationId)
    .insertInto('donor', {
      id: newId('dnr'),
      email: donor_email ?? null,
      ...splitName(donor_name),
      source: source === 'embed' ? 'embed' : 'api',
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'email_key']).doUpdateSet({
        first_name: sql`case when donor.merged_into is null then coalesce(donor.first_name, excluded.first_name) end`,
        last_name: sql`case when donor.merged_into is null then coalesce(donor.last_name, excluded.last_name) end`,
        updated_at: sql`clock_timestamp()`,
      }),
    )
    .returning(sql<string>`coalesce(donor.merged_into, donor.id)`.as('id'));

/** The first word is the first name, the rest is the last name. */
function splitName(name = '') {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  return { first_name: first || null, last_name: rest.join(' ') || null };
}

/**
 * Returns the statement that sets the intent to `succeeded`, its final state. Inserts it if a crash
 * after the request to Stripe lost it.
 */
const markIntentSucceeded = (
  query: QueryCreator<Database>,
  organizationId: string,
  payment: PaymentSnapshot,
  plan: Expression<string | null>,
) =>
  forOrganization(query, organizationId)
    .insertInto('payment_intent', {
      id: payment.paymentIntentId,
      livemode: payment.livemode,
      amount_cents: payment.amountCents,
      currency: payment.currency,
      status: 'succeeded',
      // Marks the intent as the payment of a plan, which Stripe's payment intent does not say.
      plan_id: plan,
      source: payment.metadata['source'] === 'embed' ? 'embed' : 'api',
      source_id: payment.metadata['source_id'] ?? '',
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        // The donation has the donor now.
        .doUpdateSet({
          status: 'succeeded',
          payment_method: payment.paymentMethod,
          expected_at: null,
          failure_code: null,
          failure_message: null,
          donor_name: null,
          donor_email: null,
          locale: null,
        })
        .where('payment_intent.organization_id', '=', organizationId),
    );
