import type { Meta } from '@storybook/web-components-vite';
import { openDetails, tableStory } from './table-story.ts';

export default { title: 'connect-payouts', component: 'connect-payouts' } satisfies Meta;

export const Rows = tableStory('payouts', 'with rows');
export const Loading = tableStory('payouts', 'loading', { state: 'loading' });
export const Empty = tableStory('payouts', 'empty', { state: 'empty' });
export const CustomEmpty = tableStory('payouts', 'empty, with the content of the page', {
  state: 'empty',
  inner: '<p slot="empty">Nothing yet. Share your page.</p>',
});
export const Failed = tableStory('payouts', 'failed', { state: 'failed' });
export const WithoutPermission = tableStory('payouts', 'without permission', {
  state: 'without permission',
});
export const Expired = tableStory('payouts', 'expired', { state: 'expired' });
export const RateLimited = tableStory('payouts', 'rate limited', { state: 'rate limited' });
export const More = tableStory('payouts', 'with more rows', { state: 'with more rows' });
export const Details = tableStory('payouts', 'with open details', { action: openDetails });
export const Tools = tableStory('payouts', 'with all tools', {
  attributes: { tools: 'search filters totals export' },
});
