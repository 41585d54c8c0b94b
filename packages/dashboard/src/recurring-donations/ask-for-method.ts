import { ConnectError } from '@connect-embed/contract';
import { canSendMail } from '@connect-embed/api/config';
import { enqueueEmail } from '@connect-embed/api/mail/queue';
import type { Deps } from '../pages/deps.ts';
import type { RecurringPlanWithPayments } from './plan-with-payments.ts';
import { needsOtherMethod } from './lost-method.ts';

/** Maximum number of emails in 24 hours that ask the donor of a plan for another payment method. */
const MAX_EMAILS_PER_DAY = 3;
const DAY_MS = 86_400_000;

/** Whether the donor can be sent a link with which to add another payment method. */
export const canAskForMethod = (
  { mailConfig }: Pick<Deps, 'mailConfig'>,
  plan: RecurringPlanWithPayments,
): boolean =>
  (plan.status === 'past_due' || needsOtherMethod(plan)) &&
  plan.donor_email !== null &&
  canSendMail(mailConfig);

/** Whether the bank returned the first payment, so that the recurring donation has not started. */
export const hasNotStarted = ({ status, payments }: RecurringPlanWithPayments) =>
  status === 'past_due' && payments.length === 0;

/**
 * Queues the email that asks the donor for another payment method again.
 *
 * @throws {ConnectError} `conflict` if the donor needs no other one, cannot be reached, or was asked too often
 */
export async function askForMethod(
  { db, mailConfig }: Pick<Deps, 'db' | 'mailConfig'>,
  plan: RecurringPlanWithPayments,
): Promise<void> {
  if (!canAskForMethod({ mailConfig }, plan))
    throw new ConnectError('conflict', 'This donor needs no link now, or no email can be sent.');
  const isRecent = ({ created_at }: { created_at: Date }) =>
    Date.now() - created_at.getTime() < DAY_MS;
  if (plan.emails.filter(isRecent).length >= MAX_EMAILS_PER_DAY) {
    const text = `The donor was sent ${MAX_EMAILS_PER_DAY} emails in the last 24 hours. Try again tomorrow.`;
    throw new ConnectError('conflict', text);
  }
  await enqueueEmail(db, {
    kind: emailKindOf(plan),
    organizationId: plan.organization_id,
    planId: plan.id,
    // A double click queues one email, because both clicks follow the same last one.
    occasion: `after ${plan.emails[0]?.id}`,
    ...(plan.failure_code && { details: { failure_code: plan.failure_code } }),
  });
}

function emailKindOf(plan: RecurringPlanWithPayments) {
  if (needsOtherMethod(plan)) return 'plan_method_lost';
  return hasNotStarted(plan) ? 'plan_first_failed' : 'plan_failed';
}
