import type { Meta } from '@storybook/web-components-vite';
import { MASKS, openDetails, story } from './tables.ts';

export default { title: 'connect-donors', component: 'connect-donors' } satisfies Meta;

export const Rows = story('donors', 'with rows');
export const OnItsWay = story('donors', 'on its way', { state: 'on its way' });
export const Empty = story('donors', 'empty', { state: 'empty' });
export const OwnEmpty = story('donors', 'empty, in the words of the page', {
  state: 'empty',
  inner: '<p slot="empty">Nothing yet. Share your page.</p>',
});
export const Failed = story('donors', 'failed', { state: 'failed' });
export const WithoutLeave = story('donors', 'without leave', { state: 'without leave' });
export const Expired = story('donors', 'expired', { state: 'expired' });
export const Busy = story('donors', 'asked too often', { state: 'asked too often' });
export const More = story('donors', 'with more to come', { state: 'with more to come' });
export const Details = story('donors', 'with the details of a row', { act: openDetails });
export const Tools = story('donors', 'with every tool', {
  attributes: { tools: 'search filters export' },
});
export const Masked = story('donors', 'with initials, as on a public page', {
  state: 'with initials',
  masks: MASKS,
});
