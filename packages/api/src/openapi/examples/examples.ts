import { DONATION_EXAMPLES } from './donations.ts';
import { DONOR_EXAMPLES } from './donors.ts';
import { EVENT_EXAMPLES } from './events.ts';
import type { Examples } from './example.ts';
import { PAYMENT_EXAMPLES } from './payments.ts';
import { PAYOUT_EXAMPLES } from './payouts.ts';
import { REFERENCE_DATA_EXAMPLES } from './reference-data.ts';
import { WEBHOOK_EXAMPLES } from './webhooks.ts';

/** The examples of every operation. A test fails for an operation without an example. */
export const EXAMPLES: Examples = {
  ...DONATION_EXAMPLES,
  ...DONOR_EXAMPLES,
  ...PAYOUT_EXAMPLES,
  ...EVENT_EXAMPLES,
  ...REFERENCE_DATA_EXAMPLES,
  ...PAYMENT_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
};
