import { invalidRequest } from '@connect-embed/contract';
import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import type { ColumnEncrypter } from '../../lib/column-encrypter.ts';
import type { WorkerDeps } from '../deps.ts';
import { assertSecondFactor } from '../../users/assert-second-factor.ts';
import { comparableText } from './comparable-text.ts';
import { recordDonorChange } from './donor-changes.ts';
import { eraseAtStripe } from './erase-at-stripe.ts';
import { eraseStoredResponses } from './erase-stored-responses.ts';
import {
  findEditableDonor,
  fullName,
  isMailOf,
  isPaymentOf,
  isPlanOf,
  lockDonorAndPlans,
  requireDonorEditor,
  loadOtherEmails,
  type ActingMember,
  type DonorRow,
} from './find-donor.ts';
import { updateDonorRecords } from './update-donor-records.ts';

interface EraseDeps extends WorkerDeps {
  responseEncrypter: ColumnEncrypter;
}

/**
 * Erases what is stored about a donor as a person. Amounts, dates, references and the other facts of the
 * donations stay, because an organization must keep its accounts: docs/decisions/0101-donor-data.md
 *
 * Recurring donations are ended first. If Stripe or this server fails before the end, the donor is still
 * there, and the action can be repeated.
 *
 * @param exceptAtStripe true to erase the data here also if there is no access to the Stripe account
 * @returns whether the data was erased at Stripe, too
 * @throws {ConnectError} `forbidden`, `not_found`, `conflict` if the donor was erased before,
 *   `unavailable` if Stripe fails, `invalid_request` with the param `except_at_stripe` without access
 */
export async function eraseDonor(
  deps: EraseDeps,
  member: ActingMember,
  donorId: string,
  { exceptAtStripe = false } = {},
): Promise<boolean> {
  requireDonorEditor(member);
  await assertSecondFactor(deps.db, member);
  const { organizationId } = member;
  const donor = await findEditableDonor(deps.db, organizationId, donorId);
  const { personal, emails } = await loadPersonalTexts(deps.db, donor);
  const isErasedAtStripe = await eraseAtStripe(deps, donor, emails);
  if (!isErasedAtStripe && !exceptAtStripe)
    throw invalidRequest(
      'except_at_stripe',
      'must be confirmed, because we have no access to the data at Stripe.',
    );
  // Before the transaction, because the texts to look for are no longer known afterwards.
  await eraseStoredResponses(deps, organizationId, personal);
  await deps.db.transaction().execute(async (tx) => {
    const current = await lockDonorAndPlans(tx, donor);
    await eraseEmails(tx, current);
    await eraseSessions(tx, current, personal);
    await updateDonorRecords(tx, current, ERASED);
    await forOrganization(tx, organizationId)
      .updateTable('donor')
      .set({ email: null })
      .where('merged_into', '=', donorId)
      .execute();
    await eraseNotes(tx, current);
    const details = isErasedAtStripe ? {} : { kept_at_stripe: true as const };
    await recordDonorChange(tx, member, { donorId, type: 'erased', details });
  });
  return isErasedAtStripe;
}

/**
 * Loads the email addresses of a donor, before corrections too; and with names and phone number all
 * texts about the person, as `comparableText` returns them.
 */
async function loadPersonalTexts(
  db: Db,
  donor: DonorRow,
): Promise<{ emails: string[]; personal: ReadonlySet<string> }> {
  const changes = await forOrganization(db, donor.organization_id)
    .selectFrom('donor_change')
    .select('details')
    .where('donor_id', '=', donor.id)
    .execute();
  const known = (...texts: (string | null | undefined)[]) =>
    texts.filter((text) => typeof text === 'string');
  const former = known(
    ...changes.flatMap(({ details }) => [details.email?.before, details.merged?.email]),
  );
  const own = [
    ...known(donor.email),
    ...(await loadOtherEmails(db, donor)),
    ...(await withoutOthers(db, donor, former)),
  ];
  const typed = await loadTyped(db, donor);
  const emails = withSpellings(own, known(...typed.map(({ donor_email }) => donor_email)));
  const names = known(
    fullName(donor),
    ...changes.flatMap(({ details }) => [details.name?.before, details.merged?.name]),
    ...typed.map(({ donor_name }) => donor_name),
  );
  const texts = [...emails, ...names, ...known(donor.phone)];
  return { emails, personal: new Set(texts.map(comparableText)) };
}

/** Loads the names and email addresses as the donor typed them. */
function loadTyped(db: Db, donor: DonorRow) {
  const rows = forOrganization(db, donor.organization_id);
  const columns = ['donor_name', 'donor_email'] as const;
  return rows
    .selectFrom('donation')
    .select(columns)
    .where('contact_id', '=', donor.id)
    .union(rows.selectFrom('payment_intent').select(columns).where(isPaymentOf(donor)))
    .union(rows.selectFrom('recurring_plan').select(columns).where(isPlanOf(donor)))
    .execute();
}

/** Adds the spellings with which a donor typed the addresses: Stripe distinguishes upper and lower case. */
function withSpellings(addresses: readonly string[], typed: readonly string[]): string[] {
  const keys = new Set(addresses.map((address) => address.toLowerCase()));
  const ofDonor = typed.filter((spelling) => keys.has(spelling.toLowerCase()));
  return [...new Set([...addresses, ...keys, ...ofDonor])];
}

/**
 * Returns the former addresses of a donor that nobody else uses. One of somebody else could have been
 * entered by mistake. Who started a recurring donation is a donor only after the first payment.
 */
async function withoutOthers(
  db: Db,
  { id, organization_id }: DonorRow,
  former: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct known.email from unnest(${former}::text[]) as known (email)
    where not exists (select from donor
        where organization_id = ${organization_id} and coalesce(merged_into, id) <> ${id} and email_key = lower(known.email))
      and not exists (select from recurring_plan
        where organization_id = ${organization_id} and lower(donor_email) = lower(known.email))`.execute(
    db,
  );
  return rows.map(({ email }) => email);
}

/**
 * Deletes emails that were not sent yet, and the copies that a development machine keeps. Rows of sent
 * emails contain no address and stay in the history.
 */
async function eraseEmails(tx: Db, donor: DonorRow): Promise<void> {
  const rows = forOrganization(tx, donor.organization_id);
  await tx
    .deleteFrom('development_mail')
    .where('mail_id', 'in', rows.selectFrom('mail').select('mail.id').where(isMailOf(donor)))
    .execute();
  await rows.deleteFrom('mail').where(isMailOf(donor)).where('status', '=', 'pending').execute();
}

/** Removes prefilled names and addresses of donation forms, and the hashes of network addresses. */
async function eraseSessions(
  tx: Db,
  donor: DonorRow,
  personal: ReadonlySet<string>,
): Promise<void> {
  const rows = forOrganization(tx, donor.organization_id);
  // A name identifies the donor only if it comes without the address of somebody else.
  const prefilled = await rows
    .selectFrom('embed_session')
    .select(['id', 'prefill'])
    .where(sql<boolean>`prefill <> '{}'`)
    .execute();
  const ids = prefilled
    .filter(({ prefill: { donor_email, donor_name = '' } }) =>
      personal.has(comparableText(donor_email ?? donor_name)),
    )
    .map(({ id }) => id);
  await rows
    .updateTable('embed_session')
    .set({ prefill: '{}' })
    .where(sql<boolean>`id = any(${ids})`)
    .execute();
  await rows
    .updateTable('card_reservation')
    .set({ address_hash: null })
    .where(
      sql<boolean>`payment_intent_id in (
        select processor_payment_intent_id from donation where contact_id = ${donor.id}
        union select payment_intent.id from payment_intent where ${isPaymentOf(donor)})`,
    )
    .execute();
}

/** Deletes the notes about a donor, those of refunds, and the changed values in the history. */
async function eraseNotes(tx: Db, donor: DonorRow): Promise<void> {
  const rows = forOrganization(tx, donor.organization_id);
  await rows
    .updateTable('refund')
    .set({ note: null })
    .where(sql<boolean>`donation_id in (select id from donation where contact_id = ${donor.id})`)
    .execute();
  await rows.deleteFrom('donor_note').where('donor_id', '=', donor.id).execute();
  await rows
    .updateTable('donor_change')
    .set({ details: '{}' })
    .where('donor_id', '=', donor.id)
    .execute();
}

/** What is left of each row that names a donor. */
const ERASED = {
  donation: { donor_name: null, donor_email: null, locale: null, dedication: null, comment: null },
  payment_intent: { donor_name: null, donor_email: null, locale: null },
  recurring_plan: {
    donor_name: null,
    donor_email: null,
    locale: null,
    card_label: null,
    payment_method_id: null,
    // Links in earlier emails stop working with the higher epoch.
    link_epoch: sql<number>`link_epoch + 1`,
  },
  registration: {
    attendee_name: null,
    attendee_email: null,
    attendee_phone: null,
    attendee_names: [],
    check_in_hash: null,
  },
  donor: {
    email: null,
    first_name: null,
    last_name: null,
    phone: null,
    city: null,
    state: null,
    postal_code: null,
    country: null,
    erased_at: sql<Date>`clock_timestamp()`,
  },
};
