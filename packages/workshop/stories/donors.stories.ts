import type { Meta } from '@storybook/web-components-vite';
import { MASKS, openDetails, tableStory } from './table-story.ts';

export default { title: 'connect-donors', component: 'connect-donors' } satisfies Meta;

export const Rows = tableStory('donors', 'with rows');
export const Loading = tableStory('donors', 'loading', { state: 'loading' });
export const Empty = tableStory('donors', 'empty', { state: 'empty' });
export const CustomEmpty = tableStory('donors', 'empty, with the content of the page', {
  state: 'empty',
  inner: '<p slot="empty">Nothing yet. Share your page.</p>',
});
export const Failed = tableStory('donors', 'failed', { state: 'failed' });
export const WithoutPermission = tableStory('donors', 'without permission', {
  state: 'without permission',
});
export const Expired = tableStory('donors', 'expired', { state: 'expired' });
export const RateLimited = tableStory('donors', 'rate limited', { state: 'rate limited' });
export const More = tableStory('donors', 'with more rows', { state: 'with more rows' });
export const Details = tableStory('donors', 'with open details', { action: openDetails });
export const Tools = tableStory('donors', 'with all tools', {
  attributes: { tools: 'search filters export' },
});
export const Masked = tableStory('donors', 'with initials, as on a public page', {
  state: 'with initials',
  masks: MASKS,
});
