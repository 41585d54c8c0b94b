import { ConnectError } from '@connect-embed/contract';
import { sql, type QueryCreator } from 'kysely';
import { acrossOrganizations } from '../../db/organization-scope.ts';
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

/** Stripe tries one card of a payment intent at a time, and takes longer than this for each. */
const MIN_CARD_SECONDS = 0.3;
/**
 * How long a payment intent may accept cards after its last permitted decline: until Stripe's event has
 * arrived here and our cancellation has arrived there.
 */
const SECONDS_UNTIL_CANCELED = 3;
/**
 * Cards reserved beyond the last permitted decline: those that can be tried until the cancellation, and
 * the one that is being tried then. An address without a proof of work can therefore have one payment
 * intent open at a time.
 */
const CARDS_UNTIL_CANCELED = Math.ceil(SECONDS_UNTIL_CANCELED / MIN_CARD_SECONDS) + 1;

/**
 * Cards that are reserved for a payment intent with a proof of work until a decline on it is
 * reported; from then on it counts in full. With more, a few addresses that create payment intents
 * and try no card would use up a form's budget.
 */
const CARDS_BEFORE_DECLINE = 2;

/** How long a server may reject attempts without a proof before it calls the API again. */
const PROOF_REQUIRED_SECONDS = 60;
const RETRY_AFTER_SECONDS = 15;

/** One payment intent that is about to be created for a donor. */
interface CardRequest {
  /**
   * Idempotency key of the request at Stripe. A repeated request finds its reservation by this key.
   */
  requestKey: string;
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
 * @returns the rejection if a budget is used up
 */
export async function reserveCards(db: Db, request: CardRequest): Promise<Rejection | undefined> {
  const { requestKey, organizationId, form, address, hasProof, isAttacked } = request;
  if (isAttacked && !hasProof) return { error: proofRequiredError() };
  const kind = hasProof ? 'withProof' : 'withoutProof';
  const maxDeclines = MAX_DECLINES[isAttacked ? 'duringAttack' : kind];
  const newCards = hasProof ? CARDS_BEFORE_DECLINE : maxDeclines + CARDS_UNTIL_CANCELED;
  const budget = CARD_BUDGETS[kind];
  // `reserve_cards` is a function in db/schema.sql, which takes the locks of the form and the address, then counts,
  // and releases them, in one round trip. In a transaction of several statements, all donors of a form would wait
  // for the other round trips of each donation: docs/decisions/0047-card-testing.md
  const { rows } = await sql<{ full: 'form' | 'address' | null }>`select reserve_cards(
    request_key => ${requestKey}, organization => ${organizationId}, form => ${form},
    address => ${address ?? null}, with_proof => ${hasProof}, new_cards => ${newCards},
    declines => ${maxDeclines}, cards_until_canceled => ${CARDS_UNTIL_CANCELED},
    form_budget => ${budget.form}, address_budget => ${budget.address}) as full`.execute(db);
  const { full } = rows[0]!;
  return full === null ? undefined : createRejection(hasProof, full === 'form');
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

/**
 * Updates a reservation, if there is one, with the payment intent that was created. The events of the
 * payment intent end the reservation.
 */
export const linkReservation = (
  db: QueryCreator<Database>,
  requestKey: string,
  paymentIntentId: string,
) =>
  acrossOrganizations(db)
    .updateTable('card_reservation')
    .set({ payment_intent_id: paymentIntentId })
    .where('id', '=', requestKey)
    .where('payment_intent_id', 'is distinct from', paymentIntentId);

/**
 * Links the reservation of a donation to its payment intent, found by the reference that was reserved
 * together with the cards. The event of a payment intent can arrive before it is saved, or instead of that
 * if the process crashed in between.
 */
export const linkReservationOfReference = (
  db: Db,
  organizationId: string,
  { id, metadata }: { id: string; metadata: Record<string, string> },
) =>
  sql`update card_reservation set payment_intent_id = ${id}
    from reserved_reference
    where reserved_reference.organization_id = ${organizationId}
      and reserved_reference.reference = ${metadata['reference'] ?? null}
      and card_reservation.id = reserved_reference.reserved_for
      and card_reservation.payment_intent_id is null`.execute(db);

/** Removes a reservation, if there is one, after Stripe rejected the request, so that no payment intent exists. */
export const dropReservation = (db: Db, requestKey: string) =>
  acrossOrganizations(db)
    .deleteFrom('card_reservation')
    .where('id', '=', requestKey)
    .where('payment_intent_id', 'is', null)
    .execute();

/**
 * Ends the reservation of a paid intent, if the Stripe account is that of its organization. From now on the
 * reservation counts only the cards that were tried.
 */
export const endPaidReservation = (db: Db, account: string | undefined, paymentIntentId: string) =>
  acrossOrganizations(db)
    .updateTable('card_reservation')
    .from('organization')
    .set({
      ended_at: sql`clock_timestamp()`,
      card_count: sql`1 + coalesce(
        (select failed_attempts from payment_intent where id = ${paymentIntentId}), 0)`,
    })
    .whereRef('card_reservation.organization_id', '=', 'organization.id')
    .where('organization.processor_account_id', '=', account ?? null)
    .where('card_reservation.payment_intent_id', '=', paymentIntentId)
    .where('card_reservation.ended_at', 'is', null)
    .execute();

/**
 * Ends the reservation of a canceled payment intent.
 *
 * @param releaseCards false if it was canceled because of its declines: events of further cards may
 *   still arrive, so they stay reserved
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
