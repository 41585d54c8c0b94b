import type { Meta } from '@storybook/web-components-vite';
import { openDetails, receiveDonation, waitForBars, tableStory } from './table-story.ts';

export default { title: 'connect-donations', component: 'connect-donations' } satisfies Meta;

export const Rows = tableStory('donations', 'with rows');
export const OnItsWay = tableStory('donations', 'on its way', { state: 'on its way' });
export const Empty = tableStory('donations', 'empty', { state: 'empty' });
export const OwnEmpty = tableStory('donations', 'empty, in the words of the page', {
  state: 'empty',
  inner: '<p slot="empty">Nothing yet. Share your page.</p>',
});
export const Failed = tableStory('donations', 'failed', { state: 'failed' });
export const WithoutLeave = tableStory('donations', 'without leave', { state: 'without leave' });
export const Expired = tableStory('donations', 'expired', { state: 'expired' });
export const Busy = tableStory('donations', 'asked too often', { state: 'asked too often' });
export const More = tableStory('donations', 'with more to come', { state: 'with more to come' });
export const Details = tableStory('donations', 'with the details of a row', { act: openDetails });
export const Tools = tableStory('donations', 'with every tool', {
  attributes: { tools: 'search filters totals export' },
});
export const Chart = tableStory('donations', 'with sums and a chart', {
  attributes: { tools: 'totals chart' },
  act: waitForBars,
});
export const Live = tableStory('donations', 'with a gift that has just arrived', {
  act: receiveDonation,
});
export const Pages = tableStory('donations', 'in pages', {
  state: 'with more to come',
  attributes: { paging: 'pages' },
});
export const Columns = tableStory('donations', 'with other columns', {
  attributes: { columns: 'donor net refunded source amount' },
});
export const OwnCells = tableStory('donations', 'with a cell of the page', {
  inner: '<template slot="cell:fund"><em>{{fund_name}}</em></template>',
});
export const Sorted = tableStory('donations', 'sorted by amount', {
  act: async (table) => table.shadowRoot!.querySelector<HTMLElement>('[value=amount]')!.click(),
});
export const Arabic = tableStory('donations', 'in Arabic', { attributes: { lang: 'ar' } });
export const German = tableStory('donations', 'in German', { attributes: { lang: 'de' } });
export const Japanese = tableStory('donations', 'in Japanese', { attributes: { lang: 'ja' } });
export const Themed = tableStory('donations', 'in the colors of a page', {
  attributes: {
    style:
      '--connect-color-primary: #6b2fb5; --connect-border-radius: 2px; --connect-font-family: serif',
    tools: 'search',
  },
});
