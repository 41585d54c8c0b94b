import type { Meta } from '@storybook/web-components-vite';
import {
  applyFilter,
  openChartTable,
  openDetails,
  openOtherCurrencies,
  receiveDonation,
  searchDonations,
  tableStory,
  waitForBars,
} from './table-story.ts';

export default { title: 'connect-donations', component: 'connect-donations' } satisfies Meta;

export const Rows = tableStory('donations', 'with rows');
export const Loading = tableStory('donations', 'loading', { state: 'loading' });
export const Empty = tableStory('donations', 'empty', { state: 'empty' });
export const CustomEmpty = tableStory('donations', 'empty, with the content of the page', {
  state: 'empty',
  inner: '<p slot="empty">Nothing yet. Share your page.</p>',
});
export const Failed = tableStory('donations', 'failed', { state: 'failed' });
export const WithoutPermission = tableStory('donations', 'without permission', {
  state: 'without permission',
});
export const Expired = tableStory('donations', 'expired', { state: 'expired' });
export const RateLimited = tableStory('donations', 'rate limited', { state: 'rate limited' });
export const More = tableStory('donations', 'with more rows', { state: 'with more rows' });
export const Details = tableStory('donations', 'with open details', { action: openDetails });
export const Tools = tableStory('donations', 'with all tools', {
  attributes: { tools: 'search filters columns totals export' },
});
export const Filtered = tableStory('donations', 'with a filter', {
  attributes: { tools: 'filters' },
  action: applyFilter,
});
export const Searched = tableStory('donations', 'with a search', {
  attributes: { tools: 'search totals' },
  action: searchDonations,
});
export const OtherCurrencies = tableStory('donations', 'with totals of other currencies', {
  attributes: { tools: 'totals' },
  action: openOtherCurrencies,
});
export const Chart = tableStory('donations', 'with totals and a chart', {
  attributes: { tools: 'totals chart' },
  action: waitForBars,
});
export const ChartWithTable = tableStory('donations', 'with a chart and its figures as a table', {
  attributes: { tools: 'chart' },
  action: openChartTable,
});
export const Live = tableStory('donations', 'with a new donation', {
  action: receiveDonation,
});
export const Pages = tableStory('donations', 'with pagination', {
  state: 'with more rows',
  attributes: { paging: 'pages' },
});
export const Columns = tableStory('donations', 'with other columns', {
  attributes: { columns: 'donor net refunded source amount' },
});
export const CustomCells = tableStory('donations', 'with custom cells', {
  inner: '<template slot="cell-fund"><em>{{fund_name}}</em></template>',
});
export const TextAsName = tableStory('donations', 'with a text that names the row', {
  inner: '<template slot="cell-donor"><b>{{donor_name}}</b></template>',
});
export const ImageAsName = tableStory('donations', 'with an image that names the row', {
  inner: '<template slot="cell-donor"><img src="data:," alt="Gift {{id}}"></template>',
});
export const LinkAsName = tableStory('donations', 'with a link that names the row', {
  inner: '<template slot="cell-donor"><a href="#{{id}}">{{donor_name}}</a></template>',
});
export const LinkInColumn = tableStory('donations', 'with a link in another column', {
  inner: '<template slot="cell-fund"><a href="#{{id}}">{{fund_name}}</a></template>',
});
export const WithoutName = tableStory('donations', 'without the column that names the row', {
  attributes: { columns: 'amount created_at' },
});
export const Sorted = tableStory('donations', 'sorted by amount', {
  action: async (table) => table.shadowRoot!.querySelector<HTMLElement>('[value=amount]')!.click(),
});
export const Arabic = tableStory('donations', 'in Arabic', { attributes: { lang: 'ar' } });
export const German = tableStory('donations', 'in German', { attributes: { lang: 'de' } });
export const Japanese = tableStory('donations', 'in Japanese', { attributes: { lang: 'ja' } });
export const CustomProperties = tableStory('donations', 'with custom properties', {
  attributes: {
    style:
      '--connect-color-primary: #6b2fb5; --connect-border-radius: 2px; --connect-font-family: serif',
    tools: 'search',
  },
});
