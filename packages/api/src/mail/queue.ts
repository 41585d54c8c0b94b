import { sql, type Updateable } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Database } from '../db/schema.ts';
import { newId } from '../id.ts';
import type { EmailDetails, EmailKind } from './tables.ts';

/** Something that a donor, or an owner, is to be told. */
export interface QueuedEmail {
  kind: EmailKind;
  organizationId: string;
  donationId?: string;
  planId?: string;
  /** Distinguishes two mails of a kind about the same thing, such as two refunds. */
  occasion?: string | number;
  details?: EmailDetails;
}

/**
 * Puts a mail on its way, in the transaction that makes it true: what is rolled back is never told,
 * and what has been told is not told again, however often it is enqueued.
 */
export async function enqueueEmail(tx: Db, mail: QueuedEmail): Promise<void> {
  const { kind, organizationId, donationId, planId, occasion, details = {} } = mail;
  await tx
    .insertInto('mail')
    .values({
      id: newId('mail'),
      organization_id: organizationId,
      kind,
      once_key: [kind, donationId ?? planId, occasion].filter((part) => part !== undefined).join(),
      donation_id: donationId ?? null,
      plan_id: planId ?? null,
      details: JSON.stringify(details),
    })
    .onConflict((conflict) => conflict.column('once_key').doNothing())
    .execute();
}

/** The one receipt of a donation. Without an address nothing is sent. */
export const enqueueReceipt = (tx: Db, organizationId: string, donationId: string) =>
  enqueueEmail(tx, { kind: 'receipt', organizationId, donationId });

/** Tells of one refund of a donation. Without an address nothing is sent. */
export const enqueueRefund = (
  tx: Db,
  organizationId: string,
  refund: { donationId: string; refundId: string; refundedCents: number },
) =>
  enqueueEmail(tx, {
    kind: 'refund',
    organizationId,
    donationId: refund.donationId,
    occasion: refund.refundId,
    details: { refunded_cents: refund.refundedCents },
  });

/** One mail that this process has to send. */
export interface Claim {
  id: string;
  /** Of this attempt; 1 is the first. Whoever settles it must name it. */
  attempts: number;
}

/** A receipt is news for so long; whatever could not leave by then stays here. */
const MAX_AGE_DAYS = 3;
export const IS_RECENT = sql<boolean>`mail.created_at > now() - ${sql.lit(`${MAX_AGE_DAYS} days`)}::interval`;
/** Waits after each failed attempt; in all, somewhat more than two days. */
const RETRY_DELAYS_SECONDS = [30, 120, 600, 1800, 7200, 21_600, 43_200, 86_400];

/**
 * Takes mails whose time has come, for this process alone; any number may do it at once.
 *
 * The attempt is counted when it is claimed, so that a mail which kills us is not tried for ever.
 */
export async function claimEmails(db: Db, slots: number, leaseMs: number): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    with due as (
      select id from mail
      where status = 'pending' and next_attempt_at <= now()
        and (leased_until is null or leased_until <= now())
        and ${IS_RECENT}
      order by next_attempt_at limit ${slots}
      for update skip locked)
    update mail set attempts = attempts + 1, leased_until = now() + ${`${leaseMs} ms`}::interval
    from due where mail.id = due.id
    returning mail.id, mail.attempts`.execute(db);
  return rows;
}

/** Writes down that it has left. A late worker finds another attempt's number, and changes nothing. */
export const markSent = (db: Db, claim: Claim) =>
  finishAttempt(db, claim, {
    status: 'sent',
    sent_at: new Date(),
    next_attempt_at: null,
    last_error: null,
  });

/** Writes down why it has not left, and when it is tried again, if ever. */
export function markFailed(db: Db, claim: Claim, failure: { error: string; final: boolean }) {
  const seconds = failure.final ? undefined : RETRY_DELAYS_SECONDS[claim.attempts - 1];
  const last_error = failure.error.slice(0, 300);
  if (seconds === undefined) {
    return finishAttempt(db, claim, { status: 'failed', next_attempt_at: null, last_error });
  }
  const waitMs = seconds * 1000 * (1 + Math.random() / 10);
  const next_attempt_at = new Date(Date.now() + waitMs);
  return finishAttempt(db, claim, { next_attempt_at, last_error });
}

const finishAttempt = (db: Db, { id, attempts }: Claim, set: Updateable<Database['mail']>) =>
  db
    .updateTable('mail')
    .set({ ...set, leased_until: null })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'pending')
    .execute();

/** Removes what has been told long ago, or never will be. */
export const removeOldMails = (db: Db) =>
  db
    .deleteFrom('mail')
    .where('created_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute();
