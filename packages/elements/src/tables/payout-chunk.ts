/** What a payout is made of, for the few who open one. */
export { payoutDonations } from './payout-donations.ts';
export { PayoutParts } from './payout-parts.ts';
