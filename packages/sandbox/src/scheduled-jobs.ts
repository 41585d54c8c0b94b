import type { ScheduledJobs } from './scheduler.ts';
import { expireIncomplete } from './subscription-lifecycle.ts';
import { settleDebit } from './debit-settlement.ts';
import { openFundsDispute, openInquiry, expireEvidenceDeadline } from './disputes.ts';
import { completePayout, markInTransit, runPayouts } from './payouts.ts';
import { failRefund, completeRefund } from './refunds.ts';
import { collectInvoice, renew, retryInvoice } from './renewals.ts';

/** All jobs that the simulated Stripe schedules, by name; `scheduler.ts` runs them. */
export const scheduledJobs: ScheduledJobs = {
  settle_debit: settleDebit,
  complete_refund: completeRefund,
  fail_refund: failRefund,
  open_dispute: openFundsDispute,
  open_inquiry: openInquiry,
  expire_evidence_deadline: expireEvidenceDeadline,
  run_payouts: runPayouts,
  mark_payout_in_transit: markInTransit,
  complete_payout: completePayout,
  renew,
  collect_invoice: collectInvoice,
  retry_invoice: retryInvoice,
  expire_incomplete: expireIncomplete,
};
