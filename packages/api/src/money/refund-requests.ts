import { ConnectError } from '@connect-embed/contract';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { newId } from '../id.ts';
import type { RefundReason } from '../processor/refunds.ts';
import type { RefundWish } from './refund-donation.ts';

/** A refund that was asked for, as it was asked for first. */
export interface RefundRequest {
  key: string;
  reason: RefundReason;
  /** Null until the processor has made it. */
  processorRefundId: string | null;
}

const REFUSED = ' refused ';

/** A wish without an answer for so long is nobody's any more: what came of it, the processor tells. */
const UNDER_WAY_SECONDS = 60;

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
export const askForRefund = (
  db: Db,
  donation: { id: string; organization_id: string },
  wish: RefundWish,
  personId: string,
  check: (tx: Db) => Promise<void>,
): Promise<RefundRequest> =>
  db.transaction().execute(async (tx) => {
    await sql`select from donation where id = ${donation.id} for update`.execute(tx);
    const key = `${sameAs(wish)} ${await countVain(tx, wish)}`;
    const earlier = await find(tx, key);
    if (earlier?.processorRefundId) return earlier;
    await check(tx);
    if (await isAnotherOpen(tx, wish, UNDER_WAY_SECONDS)) throw underWay();
    if (earlier) return earlier;
    await tx
      .insertInto('refund_request')
      .values({
        key,
        organization_id: donation.organization_id,
        donation_id: donation.id,
        amount_cents: wish.amountCents,
        reason: wish.reason,
        note: wish.note,
        requested_by: personId,
      })
      .execute();
    return { key, reason: wish.reason, processorRefundId: null };
  });

const sameAs = ({ donationId, returnedBeforeCents, amountCents }: RefundWish) =>
  [donationId, returnedBeforeCents, amountCents].join(' ');

const underWay = () =>
  new ConnectError(
    'conflict',
    'The gift cannot be returned: another part of it is on its way back. Look again in a minute.',
  );

/**
 * Whether there is another wish for the gift of which it is not known here what became of it.
 *
 * @param seconds no longer ago than that; ever, when left out
 */
export async function isAnotherOpen(db: Db, wish: RefundWish, seconds?: number): Promise<boolean> {
  let query = db
    .selectFrom('refund_request as asked')
    .leftJoin('donation_refund as made', 'made.processor_refund_id', 'asked.processor_refund_id')
    .select('asked.key')
    .where('asked.donation_id', '=', wish.donationId)
    .where('made.id', 'is', null)
    .where('asked.key', 'not like', `%${REFUSED}%`)
    .where(sql<boolean>`not starts_with(asked.key, ${`${sameAs(wish)} `})`);
  if (seconds !== undefined) {
    query = query.where(sql<boolean>`asked.created_at > now() - ${seconds} * interval '1 second'`);
  }
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/**
 * How often the same wish was refused, or made and failed at the donor's bank. Only the same: what
 * became of another must not give this one a new key, under which it would be made twice.
 */
async function countVain(db: Db, wish: RefundWish): Promise<number> {
  const { count } = await db
    .selectFrom('refund_request as asked')
    .leftJoin('donation_refund as made', 'made.processor_refund_id', 'asked.processor_refund_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('asked.donation_id', '=', wish.donationId)
    .where(sql<boolean>`starts_with(asked.key, ${`${sameAs(wish)} `})`)
    .where((eb) =>
      eb.or([
        eb('asked.key', 'like', `%${REFUSED}%`),
        eb('made.status', 'in', ['failed', 'canceled']),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function find(db: Db, key: string): Promise<RefundRequest | undefined> {
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
export const settleRequest = (db: Db, key: string, processorRefundId: string) =>
  db
    .updateTable('refund_request')
    .set({ processor_refund_id: processorRefundId })
    .where('key', '=', key)
    .execute();

/** The processor will not make it; after anything else nobody knows, and the wish stays. */
export async function refuseRequest(db: Db, key: string, error: unknown): Promise<void> {
  if (!(error instanceof ConnectError) || error.type !== 'conflict') return;
  await db
    .updateTable('refund_request')
    .set({ key: sql`key || ${REFUSED + newId('ref')}` })
    .where('key', '=', key)
    .where('processor_refund_id', 'is', null)
    .execute();
}
