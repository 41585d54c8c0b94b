import type { Meta } from '@storybook/web-components-vite';
import { openDetails, story } from './tables.ts';

export default { title: 'connect-payouts', component: 'connect-payouts' } satisfies Meta;

export const Rows = story('payouts', 'with rows');
export const OnItsWay = story('payouts', 'on its way', { state: 'on its way' });
export const Empty = story('payouts', 'empty', { state: 'empty' });
export const OwnEmpty = story('payouts', 'empty, in the words of the page', {
  state: 'empty',
  inner: '<p slot="empty">Nothing yet. Share your page.</p>',
});
export const Failed = story('payouts', 'failed', { state: 'failed' });
export const WithoutLeave = story('payouts', 'without leave', { state: 'without leave' });
export const Expired = story('payouts', 'expired', { state: 'expired' });
export const Busy = story('payouts', 'asked too often', { state: 'asked too often' });
export const More = story('payouts', 'with more to come', { state: 'with more to come' });
export const Details = story('payouts', 'with the details of a row', { act: openDetails });
export const Tools = story('payouts', 'with every tool', {
  attributes: { tools: 'search filters totals export' },
});
