import type { Meta, StoryObj } from '@storybook/web-components-vite';
import { details } from './details-story.ts';

export default {
  title: 'connect-payout-details',
  component: 'connect-payout-details',
} satisfies Meta;

export const WithRecord: StoryObj = details('connect-payout-details', 'with a record');
export const Loading: StoryObj = details('connect-payout-details', 'loading');
export const WithoutId: StoryObj = details('connect-payout-details', 'without an id');
export const Failed: StoryObj = details('connect-payout-details', 'failed');
export const Expired: StoryObj = details('connect-payout-details', 'expired');
export const WithoutPermission: StoryObj = details('connect-payout-details', 'without permission');
export const NotFound: StoryObj = details('connect-payout-details', 'not found');
export const RateLimited: StoryObj = details('connect-payout-details', 'rate limited');
export const German: StoryObj = details('connect-payout-details', 'in German', { lang: 'de' });
export const Arabic: StoryObj = details('connect-payout-details', 'in Arabic', { lang: 'ar' });
