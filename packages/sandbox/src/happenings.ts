import type { Happenings } from './agenda.ts';
import { endSubscription, expireIncomplete, resume } from './billing.ts';
import { enterLateFee } from './collect.ts';
import { decide, inquire, open, passDeadline } from './disputes.ts';
import { arrive, sendOff, settle } from './payouts.ts';
import { failRefund, payRefund } from './refunds.ts';
import { collectInvoice, renew, retryInvoice } from './renewals.ts';
import { advanceTestClock } from './test-clocks.ts';

/** Everything that happens by itself. */
export const happenings: Happenings = {
  refund_pays: payRefund,
  refund_fails: failRefund,
  late_fee: enterLateFee,
  dispute: open,
  inquiry: inquire,
  dispute_due: passDeadline,
  dispute_decided: decide,
  settle,
  payout_leaves: sendOff,
  payout_arrives: arrive,
  renew,
  collect_invoice: collectInvoice,
  retry_invoice: retryInvoice,
  expire_incomplete: expireIncomplete,
  end_subscription: endSubscription,
  resume,
  advance_test_clock: advanceTestClock,
};
