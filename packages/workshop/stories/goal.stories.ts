import {
  campaignProgress,
  jsonResponse,
  neverResolves,
  errorResponse,
  SERVER,
} from '@connect-embed/elements/test-support/server.js';
import { server } from '@connect-embed/elements/test-support/set-up.js';
import { waitUntil } from '@connect-embed/elements/test-support/wait-until.js';
import type { CampaignProgress } from '@connect-embed/contract';
import type { Meta, StoryObj } from '@storybook/web-components-vite';
import { html, type TemplateResult } from 'lit-html';

export default { title: 'connect-goal', component: 'connect-goal' } satisfies Meta;

const progress =
  (change: Partial<CampaignProgress> = {}) =>
  () =>
    jsonResponse(campaignProgress(change));

const DEFAULT_GOAL = html`<connect-goal server=${SERVER} campaign="camp_winter"></connect-goal>`;

/** A story of `<connect-goal>`. It is finished when the progress, or its absence, is rendered. */
const goalStory = (
  name: string,
  response: () => Response | Promise<Response>,
  page: TemplateResult = DEFAULT_GOAL,
): StoryObj => ({
  name,
  beforeEach: () => server.on('/campaigns/camp_winter/progress', response),
  render: () => page,
  play: async ({ canvasElement }) => {
    const { shadowRoot } = canvasElement.querySelector('connect-goal')!;
    const frame = shadowRoot!.querySelector('[part=frame]')!;
    if (response !== neverResolves) await waitUntil(() => frame.ariaBusy === 'false', 'a response');
  },
});

export const Loading = goalStory('loading', neverResolves);
export const WithGoal = goalStory('with a goal', progress());
export const AboveGoal = goalStory('above the goal', progress({ raised_cents: 2_410_000 }));
export const WithoutGoal = goalStory('without a goal', progress({ goal_cents: null }));
export const LoadError = goalStory('load error', () => errorResponse('not_found'));
export const LoadErrorWithContent = goalStory(
  'load error, with the content of the page',
  () => errorResponse('not_found'),
  html`<connect-goal server=${SERVER} campaign="camp_winter">We cook all winter.</connect-goal>`,
);
export const Arabic = goalStory(
  'in Arabic',
  progress(),
  html`<connect-goal server=${SERVER} campaign="camp_winter" locale="ar"></connect-goal>`,
);
export const CustomProperties = goalStory(
  'with custom properties',
  progress(),
  html`<connect-goal
    server=${SERVER}
    campaign="camp_winter"
    style="--connect-color-primary: #6b2fb5; --connect-border-radius: 2px"
  ></connect-goal>`,
);
