import { json, never, problem, SERVER } from '@connect-embed/elements/test-support/server.js';
import { server } from '@connect-embed/elements/test-support/set-up.js';
import { waitUntil } from '@connect-embed/elements/test-support/wait-until.js';
import type { CampaignProgress } from '@connect-embed/contract';
import type { Meta, StoryObj } from '@storybook/web-components-vite';
import { html, type TemplateResult } from 'lit';

export default { title: 'connect-goal', component: 'connect-goal' } satisfies Meta;

const progress =
  (change: Partial<CampaignProgress> = {}) =>
  () =>
    json({
      object: 'campaign_progress',
      campaign_id: 'camp_winter',
      name: 'Winter meals',
      currency: 'usd',
      goal_cents: 2_000_000,
      raised_cents: 1_234_050,
      ...change,
    });

const USUAL = html`<connect-goal server=${SERVER} campaign="camp_winter"></connect-goal>`;

/** Drawn once the sum stands, or once it is said that it cannot be had. */
const goal = (
  name: string,
  answer: () => Response | Promise<Response>,
  page: TemplateResult = USUAL,
): StoryObj => ({
  name,
  beforeEach: () => server.on('/campaigns/camp_winter/progress', answer),
  render: () => page,
  play: async ({ canvasElement }) => {
    const { shadowRoot } = canvasElement.querySelector('connect-goal')!;
    const frame = shadowRoot!.querySelector('[part=frame]')!;
    if (answer !== never) await waitUntil(() => frame.ariaBusy === 'false', 'an answer');
  },
});

export const OnItsWay = goal('on its way', never);
export const Raised = goal('raised of a goal', progress());
export const Reached = goal('more than its goal', progress({ raised_cents: 2_410_000 }));
export const WithoutGoal = goal('without a goal', progress({ goal_cents: null }));
export const NotToBeHad = goal('not to be had', () => problem('not_found'));
export const Told = goal(
  'not to be had, told by the page',
  () => problem('not_found'),
  html`<connect-goal server=${SERVER} campaign="camp_winter">We cook all winter.</connect-goal>`,
);
export const Arabic = goal(
  'in Arabic',
  progress(),
  html`<connect-goal server=${SERVER} campaign="camp_winter" locale="ar"></connect-goal>`,
);
export const Themed = goal(
  'in the colors of a page',
  progress(),
  html`<connect-goal
    server=${SERVER}
    campaign="camp_winter"
    style="--connect-color-primary: #6b2fb5; --connect-border-radius: 2px"
  ></connect-goal>`,
);
