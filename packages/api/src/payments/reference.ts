import { createHash } from 'node:crypto';
import { ConnectError } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../db/schema.ts';
import { formatReference } from '../lib/format-reference.ts';

/** Eight collisions in a row are less likely than a broken database. */
const MAX_ATTEMPTS = 8;

/**
 * Returns the candidate of one attempt, derived from the idempotency key so that a repeated request
 * gets the same reference.
 */
function candidateOf(requestKey: string, attempt: number): string {
  const digest = createHash('sha256').update(`reference ${attempt} ${requestKey}`).digest();
  return formatReference(digest.readBigUInt64BE());
}

/**
 * Reserves a donation's reference before the payment intent is created at Stripe, so that the
 * response to the first request contains it: docs/decisions/0086-donation-references.md
 *
 * @param requestKey the idempotency key of the request at Stripe. Requests with the same key get
 *   the same reference until a donation has it. A key that is reused later, after idempotency keys
 *   have expired, belongs to another donation and gets a new reference.
 * @throws {ConnectError} `unavailable` if no free reference was found
 */
export async function reserveReference(
  db: Db,
  organizationId: string,
  requestKey: string,
): Promise<string> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const candidate = candidateOf(requestKey, attempt);
    const { rows } = await sql<{ reference: string | null; is_of_donation: boolean }>`
      with reserved as (
        insert into reserved_reference (organization_id, reference, reserved_for)
        select ${organizationId}, ${candidate}, ${requestKey}
        where not exists (
          select from donation where organization_id = ${organizationId} and reference = ${candidate})
        on conflict do nothing
        returning reference)
      select ${isOfDonation} as is_of_donation,
        coalesce((select reference from reserved), reserved_reference.reference) as reference
      from (values (1)) as request
        left join reserved_reference on reserved_for = ${requestKey}`.execute(db);
    const { reference, is_of_donation } = rows[0]!;
    if (is_of_donation) await deleteUsed(db, requestKey);
    else if (reference !== null) return reference;
  }
  throw new ConnectError('unavailable', 'No donation reference could be reserved. Try again.');
}

/** Deletes the reservation of a key that is reused, so that the next attempt reserves another reference. */
const deleteUsed = (db: Db, requestKey: string) =>
  sql`delete from reserved_reference where reserved_for = ${requestKey} and ${isOfDonation}`.execute(
    db,
  );

/** SQL condition: a donation has the reference of this `reserved_reference` row. */
const isOfDonation = sql<boolean>`exists (
  select from donation
  where donation.organization_id = reserved_reference.organization_id
    and donation.reference = reserved_reference.reference)`;

/**
 * SQL: the reference in a payment's metadata, if it was reserved here and no donation has it yet, else
 * null. It is reserved if the process crashed after it created the payment intent and before it saved it.
 */
export const referenceIfReserved = (organizationId: string, reference: string | undefined) =>
  sql<string | null>`(select reference from reserved_reference
    where organization_id = ${organizationId} and reference = ${reference ?? null} and not ${isOfDonation})`;

/** SQL: the reference, or null if another donation already has it. */
export const referenceIfUnused = (organizationId: string, reference: string) =>
  sql<string | null>`(select ${reference}::text where not exists (
    select from donation where organization_id = ${organizationId} and reference = ${reference}))`;

/**
 * Deletes reservations older than 30 days if their donation exists or no payment intent was created
 * for them. A payment intent that was created can still be paid, so its reservation is kept.
 */
export const removeOldReferences = (db: Db) =>
  sql`delete from reserved_reference
    where created_at < now() - interval '30 days'
      and (${isOfDonation} or not exists (
        select from payment_intent
        where payment_intent.organization_id = reserved_reference.organization_id
          and payment_intent.reference = reserved_reference.reference))`.execute(db);
