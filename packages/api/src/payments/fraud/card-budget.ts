import { ConnectError } from '@connect-embed/contract';
import { sql, type Transaction } from 'kysely';
import type { Db, Database } from '../../db/schema.ts';

/**
 * Limits against card testing (trying stolen cards on donation forms): how many cards donors may
 * try in any ten minutes, for each network address and each form.
 */
export const CARD_BUDGETS = {
  /** Limit without a proof of work, across all processes and restarts. */
  withoutProof: { address: 20, form: 100 },
  /**
   * Separate budget for donors with a proof of work, which attempts without a proof cannot use up.
   */
  withProof: { address: 600, form: 1500 },
} as const;

/** Declined cards on one payment intent before it is canceled. */
export const MAX_DECLINES = {
  /** A donor may mistype a card once. The next press of the button creates a new payment intent. */
  withoutProof: 2,
  withProof: 8,
  duringAttack: 2,
} as const;

/**
 * Cards reserved beyond the last permitted decline: a payment intent accepts cards until Stripe's
 * event has arrived here and our cancellation has arrived there.
 */
const CARDS_UNTIL_CANCELED = 3;

/**
 * Cards that are reserved for a payment intent with a proof of work until a decline on it is
 * reported; from then on it counts in full. With more, a few addresses that create payment intents
 * and try no card would use up a form's budget.
 */
const CARDS_BEFORE_DECLINE = 2;

/** How long a server may reject attempts without a proof before it calls the API again. */
const PROOF_REQUIRED_SECONDS = 60;
const RETRY_AFTER_SECONDS = 15;

const WINDOW = sql`interval '10 minutes'`;

type Tx = Transaction<Database>;

/** One payment intent that is about to be created for a donor. */
export interface CardRequest {
  /**
   * Idempotency key of the request at Stripe. A repeated request finds its reservation by this key.
   */
  id: string;
  organizationId: string;
  form: string;
  /** Hash of the network address. Undefined if the address is unknown. */
  address: string | undefined;
  hasProof: boolean;
  isAttacked: boolean;
}

/**
 * The error if a budget is used up. `proofRequiredUntil` is set if it is the form's budget without a
 * proof.
 */
export interface Rejection {
  error: ConnectError;
  proofRequiredUntil?: Date;
}

/**
 * Reserves the cards that a new payment intent may try, for its form and its network address.
 *
 * The browser confirms cards directly at Stripe, and events about declines arrive late. So cards
 * are counted before the payment intent exists, and unused ones are returned when it ends:
 * docs/decisions/0047-card-testing.md
 *
 * @returns the rejection; undefined if the cards are reserved
 */
export async function reserveCardAttempts(
  db: Db,
  request: CardRequest,
): Promise<Rejection | undefined> {
  const { hasProof, isAttacked } = request;
  if (isAttacked && !hasProof) return { error: proofRequiredError() };
  const maxDeclines = isAttacked
    ? MAX_DECLINES.duringAttack
    : MAX_DECLINES[hasProof ? 'withProof' : 'withoutProof'];
  const newCards = hasProof ? CARDS_BEFORE_DECLINE : maxDeclines + CARDS_UNTIL_CANCELED;
  return await db.transaction().execute(async (tx) => {
    if (await isReserved(tx, request.id)) return undefined;
    await lockCounts(tx, request);
    const usedCards = await countCards(tx, request);
    const budget = CARD_BUDGETS[hasProof ? 'withProof' : 'withoutProof'];
    const isFormFull = usedCards.form + newCards > budget.form;
    if (isFormFull || usedCards.address + newCards > budget.address)
      return createRejection(hasProof, isFormFull);
    await insertReservation(tx, request, { newCards, maxDeclines });
    return undefined;
  });
}

function createRejection(hasProof: boolean, isFormFull: boolean): Rejection {
  if (hasProof) {
    const source = isFormFull ? 'on this form' : 'from this address';
    const message = `Too many attempts ${source}. Try again in ${RETRY_AFTER_SECONDS} seconds.`;
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    const code = 'card_limit_reached';
    return { error: new ConnectError('rate_limited', message, { code, retryAfterSeconds }) };
  }
  const proofRequiredUntil = new Date(Date.now() + PROOF_REQUIRED_SECONDS * 1000);
  return { error: proofRequiredError(), ...(isFormFull && { proofRequiredUntil }) };
}

const proofRequiredError = () =>
  new ConnectError(
    'proof_required',
    'Proof is required for this donation. Get a challenge from POST /challenges of the page’s server.',
    { param: 'Proof' },
  );

/** Links a reservation to the payment intent that was created, whose events end the reservation. */
export const linkReservation = (db: Db, id: string, paymentIntentId: string) =>
  db
    .updateTable('card_reservation')
    .set({ payment_intent_id: paymentIntentId })
    .where('id', '=', id)
    .execute();

/** Removes a reservation after Stripe rejected the request, so that no payment intent exists. */
export const dropReservation = (db: Db, id: string) =>
  db
    .deleteFrom('card_reservation')
    .where('id', '=', id)
    .where('payment_intent_id', 'is', null)
    .execute();

/** Ends the reservation of a paid intent. From now on it counts only the cards that were tried. */
export const endPaidReservation = (db: Db, paymentIntentId: string) =>
  sql`update card_reservation set ended_at = clock_timestamp(),
      card_count = 1 + coalesce((select failed_attempts from payment_intent where id = ${paymentIntentId}), 0)
    where payment_intent_id = ${paymentIntentId} and ended_at is null`.execute(db);

/**
 * Ends the reservation of a canceled payment intent.
 *
 * @param releaseCards false if it was canceled because of its declines: events of further cards may
 *   still arrive, so three more count, and no reserved card is released
 */
export const endCanceledReservation = (
  db: Db,
  id: string,
  { releaseCards }: { releaseCards: boolean },
) =>
  sql`update card_reservation set ended_at = clock_timestamp(),
      card_count = case when ${releaseCards} then 0 else greatest(card_count, ${CARDS_UNTIL_CANCELED} + coalesce((
        select failed_attempts from payment_intent
        where payment_intent.id = card_reservation.payment_intent_id), 0)) end
    where (id = ${id} or payment_intent_id = ${id}) and ended_at is null`.execute(db);

/** Deletes reservations that no longer count. */
export const removeOldReservations = (db: Db) =>
  sql`delete from card_reservation where ended_at < clock_timestamp() - interval '1 day'`.execute(
    db,
  );

/**
 * Whether a repeated request has a reservation. One that ended without a payment intent is
 * replaced.
 */
async function isReserved(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('card_reservation')
    .select(['payment_intent_id', 'ended_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined && (row.ended_at === null || row.payment_intent_id !== null);
}

/**
 * Locks the form, then the address, always in this order to prevent deadlocks. Serializes the
 * counting of concurrent requests.
 */
async function lockCounts(tx: Tx, { organizationId, form, address }: CardRequest) {
  const acquireLock = (lockName: string) =>
    sql`select pg_advisory_xact_lock(hashtextextended(${lockName}, 22))`.execute(tx);
  await acquireLock(`form ${organizationId} ${form}`);
  if (address !== undefined) await acquireLock(`address ${address}`);
}

/**
 * Counts the cards used by the form and by the address. If late events report more cards than were
 * reserved, the reported number counts. An open payment intent with a decline counts with all cards
 * that it could still take.
 */
async function countCards(tx: Tx, { organizationId, form, address, hasProof }: CardRequest) {
  const isOfForm = sql`(r.organization_id = ${organizationId} and r.form_key = ${form})`;
  const isOfAddress = sql`coalesce(r.address_hash = ${address ?? null}, false)`;
  const cardsOfIntent = sql`greatest(r.card_count, i.failed_attempts,
    case when r.ended_at is null and i.failed_attempts > 0
      then r.max_declines + ${CARDS_UNTIL_CANCELED} end)`;
  const { rows } = await sql<{ form: number; address: number }>`
    select coalesce(sum(${cardsOfIntent}) filter (where ${isOfForm}), 0)::int as form,
      coalesce(sum(${cardsOfIntent}) filter (where ${isOfAddress}), 0)::int as address
    from card_reservation as r left join payment_intent as i on i.id = r.payment_intent_id
    where (${isOfForm} or r.address_hash = ${address ?? null}) and r.has_proof_of_work = ${hasProof}
      and (r.ended_at is null or r.ended_at > clock_timestamp() - ${WINDOW})`.execute(tx);
  return rows[0]!;
}

async function insertReservation(
  tx: Tx,
  { id, organizationId, form, address, hasProof }: CardRequest,
  { newCards, maxDeclines }: { newCards: number; maxDeclines: number },
) {
  const reservation = {
    organization_id: organizationId,
    form_key: form,
    address_hash: address ?? null,
    has_proof_of_work: hasProof,
    card_count: newCards,
    max_declines: maxDeclines,
    ended_at: null,
    retry_at: null,
  };
  await tx
    .insertInto('card_reservation')
    .values({ id, ...reservation })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(reservation))
    .execute();
}
