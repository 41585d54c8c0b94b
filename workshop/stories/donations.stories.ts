import type { Meta } from '@storybook/web-components-vite';
import { openDetails, receiveGift, seeBars, story } from './tables.ts';

export default { title: 'connect-donations', component: 'connect-donations' } satisfies Meta;

export const Rows = story('donations', 'with rows');
export const OnItsWay = story('donations', 'on its way', { state: 'on its way' });
export const Empty = story('donations', 'empty', { state: 'empty' });
export const OwnEmpty = story('donations', 'empty, in the words of the page', {
  state: 'empty',
  inner: '<p slot="empty">Nothing yet. Share your page.</p>',
});
export const Failed = story('donations', 'failed', { state: 'failed' });
export const WithoutLeave = story('donations', 'without leave', { state: 'without leave' });
export const Expired = story('donations', 'expired', { state: 'expired' });
export const Busy = story('donations', 'asked too often', { state: 'asked too often' });
export const More = story('donations', 'with more to come', { state: 'with more to come' });
export const Details = story('donations', 'with the details of a row', { act: openDetails });
export const Tools = story('donations', 'with every tool', {
  attributes: { tools: 'search filters totals export' },
});
export const Chart = story('donations', 'with sums and a chart', {
  attributes: { tools: 'totals chart' },
  act: seeBars,
});
export const Live = story('donations', 'with a gift that has just arrived', { act: receiveGift });
export const Pages = story('donations', 'in pages', {
  state: 'with more to come',
  attributes: { paging: 'pages' },
});
export const Columns = story('donations', 'with other columns', {
  attributes: { columns: 'donor net refunded source amount' },
});
export const OwnCells = story('donations', 'with a cell of the page', {
  inner: '<template slot="cell:fund"><em>{{fund_name}}</em></template>',
});
export const Sorted = story('donations', 'sorted by amount', {
  act: async (table) => table.shadowRoot!.querySelector<HTMLElement>('[value=amount]')!.click(),
});
export const Arabic = story('donations', 'in Arabic', { attributes: { lang: 'ar' } });
export const German = story('donations', 'in German', { attributes: { lang: 'de' } });
export const Japanese = story('donations', 'in Japanese', { attributes: { lang: 'ja' } });
export const Themed = story('donations', 'in the colors of a page', {
  attributes: {
    style:
      '--connect-color-primary: #6b2fb5; --connect-border-radius: 2px; --connect-font-family: serif',
    tools: 'search',
  },
});
