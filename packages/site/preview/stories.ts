// The types of the tags, which the stories use.
import type {} from '@connect-embed/elements/define.js';
import * as donate from '@connect-embed/workshop/stories/donate.stories.js';
import * as donationDetails from '@connect-embed/workshop/stories/donation-details.stories.js';
import * as donations from '@connect-embed/workshop/stories/donations.stories.js';
import * as donors from '@connect-embed/workshop/stories/donors.stories.js';
import * as goal from '@connect-embed/workshop/stories/goal.stories.js';
import * as payoutDetails from '@connect-embed/workshop/stories/payout-details.stories.js';
import * as payouts from '@connect-embed/workshop/stories/payouts.stories.js';
import * as provider from '@connect-embed/workshop/stories/provider.stories.js';

/** What the playground uses of a story. */
export interface Story {
  name: string;
  beforeEach?: () => unknown;
  render: () => unknown;
  play?: (context: { canvasElement: HTMLElement }) => unknown;
}

/** The stories of each element; the default export describes all of them. */
export const STORIES = {
  'connect-donate': donate,
  'connect-donation-details': donationDetails,
  'connect-donations': donations,
  'connect-donors': donors,
  'connect-goal': goal,
  'connect-payout-details': payoutDetails,
  'connect-payouts': payouts,
  'connect-provider': provider,
} as unknown as Readonly<Record<string, Record<string, Story>>>;
