import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { dateElement } from '../pages/dashboard-layout.ts';
import { facts } from '../pages/table.ts';
import { hasNotStarted } from './ask-for-method.ts';
import { paysByDebit, planFailureText } from './failure-text.ts';
import type { RecurringPlanWithPayments } from './plan-with-payments.ts';
import { needsOtherMethod } from './lost-method.ts';

interface NoticeOptions {
  /** URL path of the page of the recurring donation. */
  path: string;
  timeZone: string;
  /** Whether the member may send the donor a link. */
  mayAsk: boolean;
}

/** Says why a recurring donation needs attention, and what happens next; empty if it does not. */
export function problemNotice(plan: RecurringPlanWithPayments, options: NoticeOptions): Html | '' {
  const { timeZone } = options;
  const { payment_method_lost_at: lostAt } = plan;
  if (needsOtherMethod(plan) && lostAt)
    return notice(
      html`The bank account of this recurring donation cannot be charged since
      ${dateElement(lostAt, timeZone)}: the donor or the bank ended the permission. The donation
      continues when the donor adds another payment method.`,
      [emailFact(plan, timeZone)],
      plan,
      options,
    );
  if (plan.status !== 'past_due') return '';
  const reason = ['Reason', planFailureText(plan)] as const;
  if (hasNotStarted(plan))
    return notice(
      'The bank returned the first payment, so this recurring donation has not started. It starts when the donor adds another payment method.',
      [reason, emailFact(plan, timeZone)],
      plan,
      options,
    );
  const { failed_attempts: attempts, next_attempt_at: next } = plan;
  return notice(
    next || attempts === null
      ? 'The last payment failed. Stripe tries again, and the donor can add another payment method. How many times it tries is a setting of your Stripe account.'
      : 'The last payment failed, and Stripe does not try again. The donation continues when the donor adds another payment method.',
    [
      reason,
      ['Tries so far', attempts],
      ['Next try', next ? dateElement(next, timeZone) : attempts === null ? null : 'None planned'],
      emailFact(plan, timeZone),
    ],
    plan,
    options,
  );
}

const notice = (
  text: Html | string,
  list: Parameters<typeof facts>[0],
  plan: RecurringPlanWithPayments,
  { path, mayAsk }: NoticeOptions,
) =>
  html`<section class="notice problem" aria-label="Problem">
    <p>${text}</p>
    ${facts(list)}
    ${
      mayAsk
        ? html`<form method="post" action="${path}/ask-for-method">
            <div class="buttons">
              <button>
                ${paysByDebit(plan) ? 'Send link for another payment method' : 'Send link for a new card'}
              </button>
            </div>
          </form>`
        : ''
    }
  </section>`;

const EMAIL_LABELS: Readonly<Record<string, string>> = {
  plan_failed: '“Payment failed”',
  plan_first_failed: '“Your recurring gift has not started”',
  plan_method_lost: '“Your recurring gift needs another payment method”',
};

/** The emails that asked the donor for another payment method, newest first. */
function emailFact(
  { donor_email, emails }: RecurringPlanWithPayments,
  timeZone: string,
): readonly [string, Html | string] {
  const name = 'Emails to the donor';
  if (donor_email === null) return [name, 'None: the donor left no address'];
  if (emails.length === 0) return [name, 'None in the last 30 days'];
  return [
    name,
    html`${emails.map(
      ({ kind, status, sent_at, created_at }) =>
        html`<div>
          ${EMAIL_LABELS[kind]}, ${EMAIL_STATES[status]}
          ${dateElement(sent_at ?? created_at, timeZone)}
        </div>`,
    )}`,
  ];
}

const EMAIL_STATES = {
  sent: 'sent',
  pending: 'waiting to be sent since',
  failed: 'could not be sent',
};
