import { SERVER } from '@connect-embed/elements/test-support/server.js';
import type { Meta, StoryObj } from '@storybook/web-components-vite';
import { html } from 'lit-html';
import { mockResponses, waitForTable } from './table-story.ts';

export default { title: 'connect-provider', component: 'connect-provider' } satisfies Meta;

export const TwoTables: StoryObj = {
  name: 'with two tables, in German',
  beforeEach: () => {
    mockResponses('donations', 'with rows');
    mockResponses('payouts', 'with rows');
  },
  render: () => html`
    <connect-provider server=${SERVER} viewer-token="viewer" locale="de" time-zone="Europe/Berlin">
      <connect-donations limit="6" refresh-seconds="0"></connect-donations>
      <connect-payouts limit="6" refresh-seconds="0"></connect-payouts>
    </connect-provider>
  `,
  play: async ({ canvasElement }) => {
    for (const table of canvasElement.querySelectorAll<HTMLElement>('[limit]')) {
      await waitForTable(table, 'with rows');
    }
  },
};
