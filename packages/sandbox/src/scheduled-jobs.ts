import type { ScheduledJobs } from './scheduler.ts';
import { endSubscription, expireIncomplete, resume } from './subscription-lifecycle.ts';
import { addLateFee } from './attempt-payment.ts';
import { decideDispute, openInquiry, open, expireEvidenceDeadline } from './disputes.ts';
import { completePayout, markInTransit, runPayouts } from './payouts.ts';
import { failRefund, completeRefund } from './refunds.ts';
import { collectInvoice, renew, retryInvoice } from './renewals.ts';
import { advanceTestClock } from './test-clocks.ts';

/** All jobs that the simulated Stripe schedules, by name; `scheduler.ts` runs them. */
export const scheduledJobs: ScheduledJobs = {
  refund_pays: completeRefund,
  refund_fails: failRefund,
  late_fee: addLateFee,
  dispute: open,
  inquiry: openInquiry,
  dispute_due: expireEvidenceDeadline,
  dispute_decided: decideDispute,
  settle: runPayouts,
  payout_leaves: markInTransit,
  payout_arrives: completePayout,
  renew,
  collect_invoice: collectInvoice,
  retry_invoice: retryInvoice,
  expire_incomplete: expireIncomplete,
  end_subscription: endSubscription,
  resume,
  advance_test_clock: advanceTestClock,
};
