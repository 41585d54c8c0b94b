import { createHash } from 'node:crypto';
import { ConnectError } from '@connect-embed/contract';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { countsAsRefunded } from '../../payments/stripe/map-refunds-disputes.ts';
import type { Processor } from '../../payments/stripe/processor.ts';
import { assertSecondFactor } from '../../users/assert-second-factor.ts';
import { registrationEvent } from '../../webhooks/enqueue-event.ts';
import type { RegistrationDeps } from './register.ts';
import {
  findRegistration,
  lockRegistration,
  type RegistrationRef,
  type RegistrationRow,
} from '../../payments/registrations/find-registration.ts';
import { nextStatus } from './registration-states.ts';

/**
 * The dependencies of functions that change registrations, with the processor client that refunds
 * card payments.
 */
interface RefundDeps extends RegistrationDeps {
  processor: Pick<Processor, 'createRefund'>;
}

/**
 * Refunds the rest of what was paid for a registration and releases its seats.
 *
 * A card payment is refunded at Stripe first, with an idempotency key derived from the
 * registration, so that a repeated or concurrent request gets the same refund. A payment by other
 * means is refunded outside of this service and only recorded.
 *
 * @param personId the user who makes the refund
 * @throws {ConnectError} `not_found`; `forbidden` without the two-step sign-in that the
 *   organization requires; `conflict` if nothing was paid or the status does not allow it;
 *   `unavailable` if Stripe fails, in which case nothing has changed
 */
export async function refundRegistration(
  { db, enqueue, processor }: RefundDeps,
  ref: RegistrationRef,
  personId: string,
): Promise<void> {
  await assertSecondFactor(db, { organizationId: ref.organizationId, personId });
  const registration = await findRegistration(db, ref);
  if (nextStatus('refund', registration.status) === undefined) return;
  requireRefundable(registration);
  // Stripe is called before the transaction, so that no database connection waits for it.
  if (registration.processor_payment_intent_id) {
    await refundCardPayment(db, processor, registration, registration.processor_payment_intent_id);
  }
  await db.transaction().execute(async (tx) => {
    const row = await lockRegistration(tx, ref);
    if (row.status === 'refunded') return; // A concurrent request was faster.
    await forOrganization(tx, ref.organizationId)
      .updateTable('registration')
      .set({
        status: 'refunded',
        refunded_cents: row.amount_paid_cents,
        refunded_at: new Date(),
        check_in_hash: null,
      })
      .where('id', '=', row.id)
      .execute();
    await enqueue(tx, registrationEvent('registration.refunded', ref.organizationId, row));
  });
}

const refundableCents = ({ amount_paid_cents, refunded_cents }: RegistrationRow) =>
  amount_paid_cents - refunded_cents;

function requireRefundable(row: RegistrationRow): void {
  if (refundableCents(row) > 0) return;
  const message = 'This registration has no payment to refund. Cancel it instead.';
  throw new ConnectError('conflict', message);
}

async function refundCardPayment(
  db: Db,
  processor: RefundDeps['processor'],
  row: RegistrationRow,
  paymentIntentId: string,
): Promise<void> {
  const { processor_account_id: account } = await db
    .selectFrom('organization')
    .select('processor_account_id')
    .where('id', '=', row.organization_id)
    .executeTakeFirstOrThrow();
  if (!account) throw refundError('the organization has no account at the card processor.');
  const idempotencySource = `registration ${row.id} ${row.refunded_cents} ${refundableCents(row)}`;
  try {
    const stripeRefund = await processor.createRefund({
      account,
      paymentIntentId,
      amountCents: refundableCents(row),
      reason: 'requested_by_customer',
      metadata: { organization_id: row.organization_id, registration_id: row.id },
      idempotencyKey: createHash('sha256').update(idempotencySource).digest('hex'),
    });
    if (!countsAsRefunded(stripeRefund))
      throw refundError('the card processor could not refund it.');
  } catch (error) {
    if (!isAlreadyRefunded(error)) throw error;
  }
}

const refundError = (reason: string) =>
  new ConnectError('conflict', `This registration cannot be refunded: ${reason}`, {
    code: 'refund_not_possible',
  });

/**
 * Returns whether the error of Stripe says that the payment was already refunded, in Stripe's
 * dashboard or by an earlier request of ours.
 */
const isAlreadyRefunded = (error: unknown): boolean =>
  error instanceof ConnectError &&
  (error.cause as { code?: unknown } | undefined)?.code === 'charge_already_refunded';
