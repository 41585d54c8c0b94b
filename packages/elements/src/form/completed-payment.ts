import type { Frequency } from '@connect-embed/contract';
import type { Paid } from './payment-outcome.ts';

/** The data of the thank-you page. */
export type CompletedPayment = Paid & {
  at: number;
  firstName: string;
  /** Masked: `m•••@example.org`. */
  email: string;
  /** The frequency; empty for a one-time donation. */
  recurringFrequency: Exclude<Frequency, 'one_time'> | '';
  /** Name of the fund that the donor chose or the form sets; empty without a fund. */
  fund?: string;
  /** The donation's short reference; empty if only the payment intent is known. */
  code?: string;
  /** The amount without the fee, in minor units. */
  donationCents?: number;
};
