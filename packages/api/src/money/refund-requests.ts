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

/**
 * Notes a wish before the processor is asked, or finds the same one noted before.
 *
 * A wish that came to nothing is another one the next time: the processor repeats its answer for a
 * day to whoever asks with the same key, and what it made and could not carry out is not made again.
 *
 * @param check throws where something speaks against a wish that is new
 */
export async function askForRefund(
  db: Db,
  donation: { id: string; organization_id: string },
  wish: RefundWish,
  personId: string,
  check: () => void,
): Promise<RefundRequest> {
  const same = [donation.id, wish.returnedBeforeCents, wish.amountCents].join(' ');
  const key = `${same} ${await countVain(db, donation.id, same)}`;
  const earlier = await find(db, key);
  if (earlier?.processorRefundId) return earlier;
  check();
  await db
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
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  // Two that came at once go on with one reason, or the processor would see two wishes.
  return (await find(db, key)) ?? { key, reason: wish.reason, processorRefundId: null };
}

/**
 * How often the same wish was refused, or made and failed at the donor's bank. Only the same: what
 * became of another must not give this one a new key, under which it would be made twice.
 */
async function countVain(db: Db, donationId: string, same: string): Promise<number> {
  const { count } = await db
    .selectFrom('refund_request as asked')
    .leftJoin('donation_refund as made', 'made.processor_refund_id', 'asked.processor_refund_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('asked.donation_id', '=', donationId)
    .where(sql<boolean>`starts_with(asked.key, ${`${same} `})`)
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
