import { sql, type Transaction } from 'kysely';
import type { Database } from './db/schema.ts';
import { newId } from './id.ts';
import type { PaidGift } from './processor.ts';

type Tx = Transaction<Database>;

/**
 * Records a gift that the processor calls paid, once.
 *
 * Donor, donation and the intent's state change in the caller's transaction, together with the
 * event that told of it: all of it happened, or none of it.
 *
 * @returns the donation's id; undefined when it had been recorded before
 */
export async function recordDonation(
  tx: Tx,
  organizationId: string,
  gift: PaidGift,
): Promise<string | undefined> {
  const { metadata } = gift;
  const contactId = await upsertDonor(tx, organizationId, metadata);
  const row = await tx
    .insertInto('donation')
    .values({
      id: newId('don'),
      organization_id: organizationId,
      amount_cents: gift.amountCents,
      fee_cents: gift.feeCents,
      currency: gift.currency,
      donor_name: metadata['donor_name'] ?? null,
      donor_email: metadata['donor_email'] ?? null,
      fund_id: await ownOrNull(tx, 'fund', organizationId, metadata['fund_id']),
      campaign_id: await ownOrNull(tx, 'campaign', organizationId, metadata['campaign_id']),
      contact_id: contactId,
      source: metadata['source'] === 'embed' ? 'embed' : 'api',
      source_id: metadata['source_id'] ?? null,
      processor_payment_intent_id: gift.paymentIntentId,
    })
    .onConflict((conflict) => conflict.column('processor_payment_intent_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  await markSucceeded(tx, organizationId, gift);
  return row?.id;
}

/**
 * Finds or makes the donor with this address. What is known of a donor is completed, never
 * replaced: anybody can type any address into a form.
 */
async function upsertDonor(
  tx: Tx,
  organizationId: string,
  { donor_email, donor_name, source }: Record<string, string>,
): Promise<string | null> {
  if (!donor_email) return null;
  const { id } = await tx
    .insertInto('donor')
    .values({
      id: newId('dnr'),
      organization_id: organizationId,
      email: donor_email,
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

/** A single name is a first name; of several, the first word is. */
function splitName(name = '') {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  return { first_name: first || null, last_name: rest.join(' ') || null };
}

/** Metadata is the processor's copy; a fund that has gone since must not lose the gift. */
async function ownOrNull(
  tx: Tx,
  table: 'fund' | 'campaign',
  organizationId: string,
  id: string | undefined,
): Promise<string | null> {
  if (!id) return null;
  const row = await tx
    .selectFrom(table)
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Settles the intent's state for good, also where we forgot to keep it (a crash after asking). */
const markSucceeded = (tx: Tx, organizationId: string, gift: PaidGift) =>
  tx
    .insertInto('payment_intent')
    .values({
      id: gift.paymentIntentId,
      organization_id: organizationId,
      amount_cents: gift.amountCents,
      currency: gift.currency,
      status: 'succeeded',
      source: gift.metadata['source'] === 'embed' ? 'embed' : 'api',
      source_id: gift.metadata['source_id'] ?? '',
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ status: 'succeeded', failure_code: null, failure_message: null }),
    )
    .execute();
