import type { Meta, StoryObj } from '@storybook/web-components-vite';
import { details } from './details-story.ts';

export default {
  title: 'connect-payout-details',
  component: 'connect-payout-details',
} satisfies Meta;

export const Read: StoryObj = details('connect-payout-details', 'read');
export const OnItsWay: StoryObj = details('connect-payout-details', 'on its way');
export const None: StoryObj = details('connect-payout-details', 'none chosen');
export const Failed: StoryObj = details('connect-payout-details', 'failed');
export const Expired: StoryObj = details('connect-payout-details', 'expired');
export const WithoutLeave: StoryObj = details('connect-payout-details', 'without leave');
export const German: StoryObj = details('connect-payout-details', 'in German', { lang: 'de' });
export const Arabic: StoryObj = details('connect-payout-details', 'in Arabic', { lang: 'ar' });
