import { ConnectError } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { newId } from '../id.ts';
import type { RefundReason } from '../processor/refunds.ts';
import type { RefundInput } from './refund-donation.ts';

/** A refund that was asked for, as it was asked for first. */
export interface RefundRequest {
  key: string;
  reason: RefundReason;
  /** Null until the processor has made it. */
  processorRefundId: string | null;
}

const REJECTED_MARKER = ' refused ';

/** A wish without an answer for so long is nobody's any more: what came of it, the processor tells. */
const REQUEST_TIMEOUT_SECONDS = 60;

/**
 * Notes a wish before the processor is asked, or finds the same one noted before.
 *
 * A wish that came to nothing is another one the next time: the processor repeats its answer for a
 * day to whoever asks with the same key, and what it made and could not carry out is not made again.
 *
 * Of different wishes for one gift, one is dealt with at a time, or each would be held against what
 * had been returned before any of them.
 *
 * @param check throws where something speaks against a wish that is new
 */
export const createRefundRequest = (
  db: Db,
  donation: { id: string; organization_id: string },
  input: RefundInput,
  personId: string,
  check: (tx: Db) => Promise<void>,
): Promise<RefundRequest> =>
  db.transaction().execute(async (tx) => {
    await sql`select from donation where id = ${donation.id} for update`.execute(tx);
    const key = `${requestKeyPrefix(input)} ${await countFailedAttempts(tx, input)}`;
    const existing = await findRequest(tx, key);
    if (existing?.processorRefundId) return existing;
    await check(tx);
    if (await hasOtherOpenRequest(tx, input, REQUEST_TIMEOUT_SECONDS)) throw refundInProgress();
    if (existing) return existing;
    await tx
      .insertInto('refund_request')
      .values({
        key,
        organization_id: donation.organization_id,
        donation_id: donation.id,
        amount_cents: input.amountCents,
        reason: input.reason,
        note: input.note,
        requested_by: personId,
      })
      .execute();
    return { key, reason: input.reason, processorRefundId: null };
  });

const requestKeyPrefix = ({ donationId, refundedBeforeCents, amountCents }: RefundInput) =>
  [donationId, refundedBeforeCents, amountCents].join(' ');

const refundInProgress = () =>
  new ConnectError(
    'conflict',
    'The gift cannot be returned: another part of it is on its way back. Look again in a minute.',
  );

/**
 * Whether there is another wish for the gift of which it is not known here what became of it.
 *
 * @param maxAgeSeconds no longer ago than that; ever, when left out
 */
export async function hasOtherOpenRequest(
  db: Db,
  input: RefundInput,
  maxAgeSeconds?: number,
): Promise<boolean> {
  let query = db
    .selectFrom('refund_request as asked')
    .leftJoin('donation_refund as made', 'made.processor_refund_id', 'asked.processor_refund_id')
    .select('asked.key')
    .where('asked.donation_id', '=', input.donationId)
    .where('made.id', 'is', null)
    .where('asked.key', 'not like', `%${REJECTED_MARKER}%`)
    .where(sql<boolean>`not starts_with(asked.key, ${`${requestKeyPrefix(input)} `})`);
  if (maxAgeSeconds !== undefined) {
    query = query.where(
      sql<boolean>`asked.created_at > now() - ${maxAgeSeconds} * interval '1 second'`,
    );
  }
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/**
 * How often the same wish was refused, or made and failed at the donor's bank. Only the same: what
 * became of another must not give this one a new key, under which it would be made twice.
 */
async function countFailedAttempts(db: Db, input: RefundInput): Promise<number> {
  const { count } = await db
    .selectFrom('refund_request as asked')
    .leftJoin('donation_refund as made', 'made.processor_refund_id', 'asked.processor_refund_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('asked.donation_id', '=', input.donationId)
    .where(sql<boolean>`starts_with(asked.key, ${`${requestKeyPrefix(input)} `})`)
    .where((eb) =>
      eb.or([
        eb('asked.key', 'like', `%${REJECTED_MARKER}%`),
        eb('made.status', 'in', ['failed', 'canceled']),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function findRequest(db: Db, key: string): Promise<RefundRequest | undefined> {
  const row = await db
    .selectFrom('refund_request')
    .selectAll()
    .where('key', '=', key)
    .executeTakeFirst();
  return (
    row && {
      key,
      reason: row.reason as RefundReason,
      processorRefundId: row.processor_refund_id,
    }
  );
}

/** The processor has made it. */
export const completeRefundRequest = (db: Db, key: string, processorRefundId: string) =>
  db
    .updateTable('refund_request')
    .set({ processor_refund_id: processorRefundId })
    .where('key', '=', key)
    .execute();

/** The processor will not make it; after anything else nobody knows, and the wish stays. */
export async function rejectRefundRequest(db: Db, key: string, error: unknown): Promise<void> {
  if (!(error instanceof ConnectError) || error.type !== 'conflict') return;
  await db
    .updateTable('refund_request')
    .set({ key: sql`key || ${REJECTED_MARKER + newId('ref')}` })
    .where('key', '=', key)
    .where('processor_refund_id', 'is', null)
    .execute();
}
