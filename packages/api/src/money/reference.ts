import { createHash } from 'node:crypto';
import { ConnectError, REFERENCE_ALPHABET } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

const BASE = BigInt(REFERENCE_ALPHABET.length);
const LENGTH = 8;
const REFERENCES = BASE ** BigInt(LENGTH);
/** Shares no divisor with the number of references, so that numbers in a row never meet. */
const STRIDE = 94_305_310_271n;
/** Two collisions in a row are less likely than a broken database. */
const MAX_ATTEMPTS = 8;

/** The reference of a number; the function `reference_of` of the database does the same. */
function formatReference(number: bigint): string {
  let characters = '';
  for (let rest = number % REFERENCES; characters.length < LENGTH; rest /= BASE) {
    characters = REFERENCE_ALPHABET[Number(rest % BASE)]! + characters;
  }
  return `${characters.slice(0, 4)}-${characters.slice(4)}`;
}

/** References of invented donations: different for different numbers, and the same in every run. */
export const seedReference = (number: number) => formatReference(BigInt(number) * STRIDE);

/** The candidate of one attempt. It follows from the key, so that a repeated request finds its own. */
function candidateOf(requestKey: string, attempt: number): string {
  const digest = createHash('sha256').update(`reference ${attempt} ${requestKey}`).digest();
  return formatReference(digest.readBigUInt64BE());
}

/**
 * Reserves the reference of a donation before it is asked for at Stripe, so that the first response
 * carries it: docs/decisions/0086-references.md
 *
 * @param requestKey the request's idempotency key at Stripe. It gets the same reference until a donation has that
 *   reference: a key that is used again after a day, when everybody has forgotten it, is of another donation
 * @throws {ConnectError} `unavailable` when no free reference was found
 */
export async function reserveReference(
  db: Db,
  organizationId: string,
  requestKey: string,
): Promise<string> {
  await sql`
    delete from reserved_reference where reserved_for = ${requestKey} and ${isOfDonation}`.execute(
    db,
  );
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const candidate = candidateOf(requestKey, attempt);
    const { rows } = await sql<{ reference: string }>`
      with reserved as (
        insert into reserved_reference (organization_id, reference, reserved_for)
        select ${organizationId}, ${candidate}, ${requestKey}
        where not exists (
          select from donation where organization_id = ${organizationId} and reference = ${candidate})
        on conflict do nothing
        returning reference)
      select reference from reserved
      union all select reference from reserved_reference where reserved_for = ${requestKey}`.execute(
      db,
    );
    if (rows[0]) return rows[0].reference;
  }
  throw new ConnectError('unavailable', 'No donation reference could be reserved. Try again.');
}

/** Whether a donation has the reference of a row of `reserved_reference`. */
const isOfDonation = sql<boolean>`exists (
  select from donation
  where donation.organization_id = reserved_reference.organization_id
    and donation.reference = reserved_reference.reference)`;

/**
 * Finds the reference in a payment's metadata, if it was reserved here and no donation has it yet. This
 * is the case if the process crashed after it created the payment intent and before it saved it.
 */
export async function findReservedReference(
  db: Db,
  organizationId: string,
  reference: string | undefined,
): Promise<string | undefined> {
  if (!reference) return undefined;
  const row = await db
    .selectFrom('reserved_reference')
    .select('reference')
    .where('organization_id', '=', organizationId)
    .where('reference', '=', reference)
    .where(sql<boolean>`not ${isOfDonation}`)
    .executeTakeFirst();
  return row?.reference;
}

/** The reference of a payment intent; undefined where a donation of another intent has it already. */
export async function unlessUsed(
  db: Db,
  organizationId: string,
  reference: string,
): Promise<string | undefined> {
  const donation = await db
    .selectFrom('donation')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('reference', '=', reference)
    .executeTakeFirst();
  return donation ? undefined : reference;
}

/**
 * Removes reservations of requests that came to nothing, and those whose donation has the reference itself.
 * An intent that was opened may still be paid, so its reservation stays.
 */
export const removeOldReferences = (db: Db) =>
  sql`delete from reserved_reference
    where created_at < now() - interval '30 days'
      and (${isOfDonation} or not exists (
        select from payment_intent
        where payment_intent.organization_id = reserved_reference.organization_id
          and payment_intent.reference = reserved_reference.reference))`.execute(db);
