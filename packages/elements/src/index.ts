/**
 * The public exports of the npm package. This module registers no custom elements: `define.ts` and
 * `define/` do.
 */
export { ConnectDonate } from './connect-donate.ts';
export { ConnectDonationDetails } from './connect-donation-details.ts';
export { ConnectDonations } from './connect-donations.ts';
export { ConnectDonors } from './connect-donors.ts';
export { ConnectGoal } from './connect-goal.ts';
export { ConnectPayoutDetails } from './connect-payout-details.ts';
export { ConnectPayouts } from './connect-payouts.ts';
export { ConnectProvider } from './connect-provider.ts';
export * from './dialog-events.ts';
export * from './events.ts';
export * from './donation-events.ts';
export * from './row-events.ts';
export * from './table-events.ts';
export type { Donation, Donor, Payout } from '@connect-embed/contract';
export type { CellRenderer } from './tables/column.ts';
export type { FetchSession, TableSession } from './tables/component-session.ts';
export type { Appearance } from './form/apply-appearance.ts';
export type { MessageOverrides } from './shared/language.ts';
export type { FormMessages, GoalMessages, TablesMessages } from './shared/message-types.ts';
