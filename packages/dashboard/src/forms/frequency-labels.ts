import type { Frequency } from '@connect-embed/contract';

/** Names of frequencies for members. */
export const FREQUENCY_LABELS: Readonly<Record<Frequency, string>> = {
  one_time: 'One time',
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  yearly: 'Yearly',
};
