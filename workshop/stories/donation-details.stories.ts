import type { Meta, StoryObj } from '@storybook/web-components-vite';
import { details } from './details-story.ts';

export default {
  title: 'connect-donation-details',
  component: 'connect-donation-details',
} satisfies Meta;

export const Read: StoryObj = details('connect-donation-details', 'read');
export const OnItsWay: StoryObj = details('connect-donation-details', 'on its way');
export const None: StoryObj = details('connect-donation-details', 'none chosen');
export const Failed: StoryObj = details('connect-donation-details', 'failed');
export const Expired: StoryObj = details('connect-donation-details', 'expired');
export const WithoutLeave: StoryObj = details('connect-donation-details', 'without leave');
export const German: StoryObj = details('connect-donation-details', 'in German', { lang: 'de' });
export const Arabic: StoryObj = details('connect-donation-details', 'in Arabic', { lang: 'ar' });
