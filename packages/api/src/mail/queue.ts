import { sql, type QueryCreator, type Updateable } from 'kysely';
import { IS_UNCLAIMED, isCurrentAttempt, leaseEnd, type Lease } from '../db/leases.ts';
import { acrossOrganizations, forOrganization } from '../db/organization-scope.ts';
import type { Db, Database } from '../db/schema.ts';
import { newId } from '../lib/id.ts';
import type { EmailDetails, EmailKind } from '../db/column-types.ts';

/** An email to a donor or an owner, to be queued. */
interface QueuedEmail {
  kind: EmailKind;
  organizationId: string;
  donationId?: string;
  planId?: string;
  paymentIntentId?: string;
  /** Distinguishes two emails of the same kind about the same record, such as two refunds. */
  occasion?: string | number;
  details?: EmailDetails;
}

/**
 * Queues an email in the transaction that causes it, so that a rollback also removes the email.
 * An email with the same kind, record and occasion is queued only once.
 */
export async function enqueueEmail(tx: Db, mail: QueuedEmail): Promise<void> {
  await insertEmail(tx, mail).execute();
}

function insertEmail(query: QueryCreator<Database>, mail: QueuedEmail) {
  const {
    kind,
    organizationId,
    donationId,
    planId,
    paymentIntentId,
    occasion,
    details = {},
  } = mail;
  return forOrganization(query, organizationId)
    .insertInto('mail', {
      id: newId('mail'),
      kind,
      deduplication_key: [kind, donationId ?? planId ?? paymentIntentId, occasion]
        .filter((part) => part !== undefined)
        .join(),
      donation_id: donationId ?? null,
      plan_id: planId ?? null,
      payment_intent_id: paymentIntentId ?? null,
      details: JSON.stringify(details),
    })
    .onConflict((conflict) => conflict.column('deduplication_key').doNothing());
}

/**
 * Returns the statement that queues the receipt of a donation. Without a recipient address nothing is
 * sent.
 */
export const insertReceipt = (
  query: QueryCreator<Database>,
  organizationId: string,
  donationId: string,
) => insertEmail(query, { kind: 'receipt', organizationId, donationId });

/** Queues the receipt of a donation again, if it failed and none was sent since. */
export const requeueReceipt = (tx: Db, donation: { id: string; organization_id: string }) =>
  forOrganization(tx, donation.organization_id)
    .updateTable('mail')
    .set({
      status: 'pending',
      attempts: 0,
      last_error: null,
      next_attempt_at: new Date(),
      // A won dispute comes weeks after the donation, and emails are sent only while they are recent.
      created_at: new Date(),
    })
    .where('deduplication_key', '=', `receipt,${donation.id}`)
    .where('status', '=', 'failed')
    .where(
      sql<boolean>`not exists (select from mail as other where other.donation_id = mail.donation_id
        and other.kind = 'receipt' and other.status = 'sent')`,
    )
    .execute();

/**
 * Queues the email about one refund of a donation. Without a recipient address nothing is sent.
 */
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

/** Emails older than this are not sent any more. They stay in the table until they are removed. */
const MAX_AGE_DAYS = 3;
export const IS_RECENT = sql<boolean>`mail.created_at > now() - ${sql.lit(`${MAX_AGE_DAYS} days`)}::interval`;
/** Delays after each failed attempt, about 45 hours in total. */
const RETRY_DELAYS_SECONDS = [30, 120, 600, 1800, 7200, 21_600, 43_200, 86_400];

/**
 * Claims due emails for this worker. Several processes can claim simultaneously.
 *
 * The attempt is counted when it is claimed, so that it counts even if the process dies. Emails that
 * are older than MAX_AGE_DAYS are not claimed any more.
 */
export async function claimEmails(db: Db, count: number, leaseMs: number): Promise<Lease[]> {
  const { rows } = await sql<Lease>`
    with due as (
      select id from mail
      where ${IS_UNCLAIMED} and next_attempt_at <= now() and ${IS_RECENT}
      order by next_attempt_at limit ${count}
      for update skip locked)
    update mail set attempts = attempts + 1, leased_until = ${leaseEnd(leaseMs)}
    from due where mail.id = due.id
    returning mail.id, mail.attempts`.execute(db);
  return rows;
}

/** Saves that the email was sent. Changes nothing if another worker has claimed it since. */
export const markSent = (db: Db, claim: Lease) =>
  finishAttempt(db, claim, {
    status: 'sent',
    sent_at: new Date(),
    next_attempt_at: null,
    last_error: null,
  });

/** Saves the error of a failed attempt and schedules the next one, if any. */
export function markFailed(db: Db, claim: Lease, failure: { error: string; final: boolean }) {
  const seconds = failure.final ? undefined : RETRY_DELAYS_SECONDS[claim.attempts - 1];
  const last_error = failure.error.slice(0, 300);
  if (seconds === undefined) {
    return finishAttempt(db, claim, { status: 'failed', next_attempt_at: null, last_error });
  }
  const waitMs = seconds * 1000 * (1 + Math.random() / 10);
  const next_attempt_at = new Date(Date.now() + waitMs);
  return finishAttempt(db, claim, { next_attempt_at, last_error });
}

const finishAttempt = (db: Db, claim: Lease, set: Updateable<Database['mail']>) =>
  acrossOrganizations(db)
    .updateTable('mail')
    .set({ ...set, leased_until: null })
    .where(isCurrentAttempt(claim))
    .execute();

/** Removes emails that are older than 30 days, except a receipt that may be sent once a dispute is won. */
export const removeOldMails = (db: Db) =>
  acrossOrganizations(db)
    .deleteFrom('mail')
    .where('created_at', '<', sql<Date>`now() - interval '30 days'`)
    .where(
      sql<boolean>`not (kind = 'receipt' and status = 'failed' and exists (
        select from donation where donation.id = mail.donation_id and dispute_status = 'open'))`,
    )
    .execute();
