import type { Db } from '../../db/schema.ts';
import { enqueueEmail } from '../../mail/queue.ts';
import type { EmailDetails, EmailKind } from '../../db/column-types.ts';
import type { SubscriptionSnapshot } from '../stripe/map-subscription.ts';
import type { SubscriptionRow } from './find-subscriptions.ts';

type Failure = Pick<SubscriptionSnapshot, 'isFirstPaymentReturned' | 'failure'>;
type ChangeEmail = { kind: EmailKind; details?: EmailDetails };

/**
 * Enqueues emails to the donor about changes of a subscription, whether the donor, the
 * organization or the bank caused them. Compares the rows before and after, so that a crash after
 * the change at Stripe loses no email.
 */
export async function enqueueChangeEmails(
  tx: Db,
  before: SubscriptionRow,
  after: SubscriptionRow,
  snapshot: Failure,
): Promise<void> {
  for (const { kind, details = {} } of emailsForChanges(before, after, snapshot)) {
    await enqueueEmail(tx, {
      kind,
      organizationId: after.organization_id,
      planId: after.id,
      occasion: after.row_version,
      details,
    });
  }
}

/** A first payment is not a change, because its receipt is sent. */
function emailsForChanges(
  before: SubscriptionRow,
  after: SubscriptionRow,
  failure: Failure,
): ChangeEmail[] {
  const { isFirstPaymentReturned } = failure;
  if (before.status === 'canceled') return [];
  if (before.status === 'incomplete')
    return isFirstPaymentReturned ? [firstFailedEmail(failure)] : [];
  if (after.status === 'canceled') return [{ kind: 'plan_canceled' }];
  const changes: ChangeEmail[] = [];
  if (before.amount_cents !== after.amount_cents) {
    const details = { before_cents: before.amount_cents, after_cents: after.amount_cents };
    changes.push({ kind: 'plan_amount', details });
  }
  const hadCard = before.payment_method_id !== null && after.payment_method_id !== null;
  if (hadCard && before.payment_method_id !== after.payment_method_id) {
    changes.push({ kind: 'plan_card' });
  }
  const kind = before.status === after.status ? undefined : emailForStatus(before, after);
  if (!kind) return changes;
  if (kind !== 'plan_failed') return [...changes, { kind }];
  return [
    ...changes,
    isFirstPaymentReturned ? firstFailedEmail(failure) : failedEmail(kind, failure),
  ];
}

const failedEmail = (kind: EmailKind, { failure }: Failure): ChangeEmail => ({
  kind,
  ...(failure?.code && { details: { failure_code: failure.code } }),
});

/** The email about a first payment that the bank returned. */
export const firstFailedEmail = (failure: Failure) => failedEmail('plan_first_failed', failure);

function emailForStatus(before: SubscriptionRow, after: SubscriptionRow): EmailKind | undefined {
  if (after.status === 'paused') return 'plan_paused';
  if (after.status === 'past_due') return 'plan_failed';
  return before.status === 'paused' ? 'plan_resumed' : undefined;
}
