import type { Meta } from '@storybook/web-components-vite';
import { openDetails, tableStory } from './table-story.ts';

export default { title: 'connect-payouts', component: 'connect-payouts' } satisfies Meta;

export const Rows = tableStory('payouts', 'with rows');
export const OnItsWay = tableStory('payouts', 'on its way', { state: 'on its way' });
export const Empty = tableStory('payouts', 'empty', { state: 'empty' });
export const OwnEmpty = tableStory('payouts', 'empty, in the words of the page', {
  state: 'empty',
  inner: '<p slot="empty">Nothing yet. Share your page.</p>',
});
export const Failed = tableStory('payouts', 'failed', { state: 'failed' });
export const WithoutLeave = tableStory('payouts', 'without leave', { state: 'without leave' });
export const Expired = tableStory('payouts', 'expired', { state: 'expired' });
export const Busy = tableStory('payouts', 'asked too often', { state: 'asked too often' });
export const More = tableStory('payouts', 'with more to come', { state: 'with more to come' });
export const Details = tableStory('payouts', 'with the details of a row', { act: openDetails });
export const Tools = tableStory('payouts', 'with every tool', {
  attributes: { tools: 'search filters totals export' },
});
