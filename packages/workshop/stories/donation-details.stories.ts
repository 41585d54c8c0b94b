import type { Meta, StoryObj } from '@storybook/web-components-vite';
import { details } from './details-story.ts';

export default {
  title: 'connect-donation-details',
  component: 'connect-donation-details',
} satisfies Meta;

export const WithRecord: StoryObj = details('connect-donation-details', 'with a record');
export const Loading: StoryObj = details('connect-donation-details', 'loading');
export const WithoutId: StoryObj = details('connect-donation-details', 'without an id');
export const Failed: StoryObj = details('connect-donation-details', 'failed');
export const Expired: StoryObj = details('connect-donation-details', 'expired');
export const WithoutPermission: StoryObj = details(
  'connect-donation-details',
  'without permission',
);
export const NotFound: StoryObj = details('connect-donation-details', 'not found');
export const RateLimited: StoryObj = details('connect-donation-details', 'rate limited');
export const German: StoryObj = details('connect-donation-details', 'in German', { lang: 'de' });
export const Arabic: StoryObj = details('connect-donation-details', 'in Arabic', { lang: 'ar' });
