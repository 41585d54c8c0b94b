import type { Meta } from '@storybook/web-components-vite';
import { MASKS, openDetails, tableStory } from './table-story.ts';

export default { title: 'connect-donors', component: 'connect-donors' } satisfies Meta;

export const Rows = tableStory('donors', 'with rows');
export const OnItsWay = tableStory('donors', 'on its way', { state: 'on its way' });
export const Empty = tableStory('donors', 'empty', { state: 'empty' });
export const OwnEmpty = tableStory('donors', 'empty, in the words of the page', {
  state: 'empty',
  inner: '<p slot="empty">Nothing yet. Share your page.</p>',
});
export const Failed = tableStory('donors', 'failed', { state: 'failed' });
export const WithoutLeave = tableStory('donors', 'without leave', { state: 'without leave' });
export const Expired = tableStory('donors', 'expired', { state: 'expired' });
export const Busy = tableStory('donors', 'asked too often', { state: 'asked too often' });
export const More = tableStory('donors', 'with more to come', { state: 'with more to come' });
export const Details = tableStory('donors', 'with the details of a row', { act: openDetails });
export const Tools = tableStory('donors', 'with every tool', {
  attributes: { tools: 'search filters export' },
});
export const Masked = tableStory('donors', 'with initials, as on a public page', {
  state: 'with initials',
  masks: MASKS,
});
