import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { recordDonorChange } from './donor-changes.ts';
import {
  findEditableDonor,
  isMailOf,
  isPaymentOf,
  isPlanOf,
  isRegistrationOf,
  requireDonorEditor,
  loadOtherEmails,
  type ActingMember,
  type DonorRow,
} from './find-donor.ts';
import { loadNotes } from './donor-notes.ts';

/**
 * Returns what is stored about a donor as one JSON object, and records the export in the history.
 * Donations with what belongs to them, and registrations, are included only if the member may see them.
 * The notes do not name their authors: the file is for the donor.
 *
 * @throws {ConnectError} `forbidden`, `not_found`, `conflict` if the donor was erased
 */
export async function exportDonor(db: Db, member: ActingMember, donorId: string) {
  requireDonorEditor(member);
  const { organizationId, permissions } = member;
  const donor = await findEditableDonor(db, organizationId, donorId);
  await recordDonorChange(db, member, { donorId, type: 'exported' });
  const {
    search: _,
    name_key: __,
    email_key: ___,
    merged_into: ____,
    email_keys: _____,
    ...rest
  } = donor;
  const { organization_id, ...fields } = rest;
  const notes = await loadNotes(db, organizationId, donorId);
  return {
    exported_at: new Date(),
    organization_id,
    donor: { ...fields, other_emails: await loadOtherEmails(db, donor) },
    ...(permissions.has('donations:read') && (await loadGiving(db, donor))),
    ...(permissions.has('registrations:read') && {
      registrations: await loadRegistrations(db, donor),
    }),
    history: await loadHistory(db, donor),
    notes: notes.map(({ text, created_at, edited_at }) => ({ text, created_at, edited_at })),
  };
}

const DONATION_COLUMNS = [
  'donation.id',
  'donation.reference',
  'donation.amount_cents',
  'donation.currency',
  'donation.fee_cents',
  'donation.refunded_amount_cents',
  'donation.disputed_amount_cents',
  'donation.remaining_amount_cents',
  'donation.refund_status',
  'donation.dispute_status',
  'donation.recurring',
  'donation.plan_id',
  'donation.donor_name',
  'donation.donor_email',
  'donation.locale',
  'donation.dedication',
  'donation.comment',
  'donation.page_origin',
  'donation.source',
  'donation.processor_payment_intent_id',
  'donation.payment_method',
  'donation.card_brand',
  'donation.paid_at',
  'donation.created_at',
  'fund.name as fund',
  'campaign.name as campaign',
  'form.slug as form',
  'donation.form_name',
] as const;

const PAYMENT_COLUMNS = [
  'id',
  'reference',
  'amount_cents',
  'currency',
  'status',
  'payment_method',
  'expected_at',
  'failure_code',
  'failure_message',
  'donor_name',
  'donor_email',
  'locale',
  'created_at',
] as const;

const PLAN_COLUMNS = [
  'id',
  'amount_cents',
  'currency',
  'frequency',
  'status',
  'donor_name',
  'donor_email',
  'locale',
  'card_label',
  'processor_subscription_id',
  'processor_customer_id',
  'next_payment_at',
  'canceled_at',
  'created_at',
] as const;

/** Loads the donations, and what belongs to them. */
async function loadGiving(db: Db, donor: DonorRow) {
  const rows = forOrganization(db, donor.organization_id);
  const ofDonor = rows.selectFrom('donation').select('id').where('contact_id', '=', donor.id);
  const [donations, payments, refunds, disputes, recurring_donations, emails] = await Promise.all([
    rows
      .selectFrom('donation')
      .leftJoin('fund', 'fund.id', 'donation.fund_id')
      .leftJoin('campaign', 'campaign.id', 'donation.campaign_id')
      .leftJoin('form', 'form.id', 'donation.form_id')
      .where('donation.contact_id', '=', donor.id)
      .orderBy('donation.created_at')
      .select(DONATION_COLUMNS)
      .execute(),
    // On their way, or returned by the bank.
    rows
      .selectFrom('payment_intent')
      .where(isPaymentOf(donor))
      .orderBy('created_at')
      .select(PAYMENT_COLUMNS)
      .execute(),
    rows
      .selectFrom('refund')
      .select(['donation_id', 'amount_cents', 'status', 'reason', 'note', 'created_at'])
      .where('donation_id', 'in', ofDonor)
      .orderBy('created_at')
      .execute(),
    rows
      .selectFrom('donation_dispute')
      .select(['donation_id', 'amount_cents', 'status', 'reason', 'created_at'])
      .where('donation_id', 'in', ofDonor)
      .orderBy('created_at')
      .execute(),
    rows
      .selectFrom('recurring_plan')
      .where(isPlanOf(donor))
      .orderBy('created_at')
      .select(PLAN_COLUMNS)
      .execute(),
    rows
      .selectFrom('mail')
      .select([
        'kind',
        'donation_id',
        'plan_id',
        'payment_intent_id',
        'status',
        'sent_at',
        'created_at',
      ])
      .where(isMailOf(donor))
      .orderBy('created_at')
      .execute(),
  ]);
  return { donations, payments, refunds, disputes, recurring_donations, emails };
}

const loadHistory = (db: Db, { id, organization_id }: DonorRow) =>
  forOrganization(db, organization_id)
    .selectFrom('donor_change')
    .select(['type', 'donation_id', 'details', 'created_at'])
    .where('donor_id', '=', id)
    .orderBy('created_at')
    .execute();

const loadRegistrations = (db: Db, donor: DonorRow) =>
  forOrganization(db, donor.organization_id)
    .selectFrom('registration')
    .innerJoin('event', 'event.id', 'registration.event_id')
    .leftJoin('event_ticket_type as ticket_type', 'ticket_type.id', 'registration.ticket_type_id')
    .where(isRegistrationOf(donor))
    .orderBy('registration.created_at')
    .select([
      'registration.id',
      'event.title as event',
      'event.starts_at',
      'ticket_type.name as ticket_type',
      'registration.status',
      'registration.quantity',
      'registration.attendee_name',
      'registration.attendee_email',
      'registration.attendee_phone',
      'registration.attendee_names',
      'registration.amount_paid_cents',
      'registration.tax_cents',
      'registration.tax_country',
      'registration.refunded_cents',
      'registration.checked_in_at',
      'registration.created_at',
    ])
    .execute();
