/** Every element. Made by `npm run manifest`. */
export { ConnectDonate } from './connect-donate.ts';
export { ConnectDonationDetails } from './connect-donation-details.ts';
export { ConnectDonations } from './connect-donations.ts';
export { ConnectDonors } from './connect-donors.ts';
export { ConnectGoal } from './connect-goal.ts';
export { ConnectPayoutDetails } from './connect-payout-details.ts';
export { ConnectPayouts } from './connect-payouts.ts';
export { ConnectProvider } from './connect-provider.ts';
