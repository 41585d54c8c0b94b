import type { Migration } from 'kysely';
import * as gift from './0001-gift.ts';
import * as webhooks from './0002-webhooks.ts';
import * as usersOauth from './0003-users-oauth.ts';
import * as events from './0004-events.ts';
import * as requestBudget from './0005-request-budget.ts';
import * as dashboard from './0006-dashboard.ts';
import * as administration from './0007-administration.ts';
import * as afterTheGift from './0008-after-the-gift.ts';
import * as recurring from './0009-recurring.ts';
import * as cardTesting from './0011-card-testing.ts';
import * as paidAt from './0012-paid-at.ts';
import * as campaignSums from './0014-campaign-sums.ts';
import * as leastData from './0015-least-data.ts';
import * as live from './0016-live.ts';
import * as filters from './0018-filters.ts';
import * as installation from './0019-installation.ts';
import * as noNotify from './0020-no-notify.ts';
import * as cardReservations from './0022-card-reservations.ts';
import * as sessionTokenHash from './0024-session-token-hash.ts';
import * as twoStepSignIn from './0025-two-step-sign-in.ts';
import * as references from './0026-references.ts';
import * as search from './0027-search.ts';
import * as developmentMailbox from './0029-development-mailbox.ts';
import * as donationsOfADonor from './0030-donations-of-a-donor.ts';
import * as feeCover from './0031-fee-cover.ts';
import * as reservationRetries from './0032-reservation-retries.ts';
import * as refundRequestState from './0033-refund-request-state.ts';
import * as standardNames from './0034-standard-names.ts';
import * as refund from './0035-refund.ts';
import * as reserveCards from './0036-reserve-cards.ts';

/** All migrations in order of name. A released migration never changes. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001-gift': gift,
  '0002-webhooks': webhooks,
  '0003-users-oauth': usersOauth,
  '0004-events': events,
  '0005-request-budget': requestBudget,
  '0006-dashboard': dashboard,
  '0007-administration': administration,
  '0008-after-the-gift': afterTheGift,
  '0009-recurring': recurring,
  '0011-card-testing': cardTesting,
  '0012-paid-at': paidAt,
  '0014-campaign-sums': campaignSums,
  '0015-least-data': leastData,
  '0016-live': live,
  '0018-filters': filters,
  '0019-installation': installation,
  '0020-no-notify': noNotify,
  '0022-card-reservations': cardReservations,
  '0024-session-token-hash': sessionTokenHash,
  '0025-two-step-sign-in': twoStepSignIn,
  '0026-references': references,
  '0027-search': search,
  '0029-development-mailbox': developmentMailbox,
  '0030-donations-of-a-donor': donationsOfADonor,
  '0031-fee-cover': feeCover,
  '0032-reservation-retries': reservationRetries,
  '0033-refund-request-state': refundRequestState,
  '0034-standard-names': standardNames,
  '0035-refund': refund,
  '0036-reserve-cards': reserveCards,
};
