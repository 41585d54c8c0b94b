/**
 * A chunk of the bundle with the parts of a payout (donations, refunds, disputes). It is loaded when a
 * payout is opened.
 */
export { payoutDonations } from './payout-donations.ts';
export { PayoutTransactions } from './payout-transactions.ts';
