import { Donor } from '@connect-embed/elements/test-support/donor.js';
import { VIEW_STATES } from '@connect-embed/elements/test-support/faces.js';
import { fullTerms, SERVER } from '@connect-embed/elements/test-support/server.js';
import { server } from '@connect-embed/elements/test-support/set-up.js';
import type { Meta, StoryObj } from '@storybook/web-components-vite';
import { html, type TemplateResult } from 'lit';

export default {
  title: 'connect-donate',
  component: 'connect-donate',
  beforeEach: () => server.setForm({ terms: fullTerms() }),
} satisfies Meta;

type Story = StoryObj;

const donorIn = (canvas: HTMLElement) => new Donor(canvas.querySelector('connect-donate')!);

/** A story of a view state, reached by the same steps as in the element tests. */
const viewStateStory = (name: keyof typeof VIEW_STATES): Story => ({
  name,
  beforeEach: () => VIEW_STATES[name]!.before?.(),
  render: () => html`<connect-donate server=${SERVER} form="gala"></connect-donate>`,
  play: ({ canvasElement }) => VIEW_STATES[name]!.reach(donorIn(canvasElement)),
});

/** A story of the rendered form in the given template. */
const drawnStory = (name: string, page: TemplateResult): Story => ({
  name,
  render: () => page,
  play: ({ canvasElement }) => donorIn(canvasElement).whenDrawn(),
});

export const OnItsWay = viewStateStory('the form on its way');
export const Form = viewStateStory('the form');
export const Unfolded = viewStateStory('the form, all unfolded, with a card');
export const Problems = viewStateStory('problems');
export const UnderWay = viewStateStory('a gift under way');
export const Refused = viewStateStory('a refused card');
export const Blocked = viewStateStory('a blocked card form');
export const Thanks = viewStateStory('the thank-you');
export const NotToBeHad = viewStateStory('a form that cannot be had');

export const Arabic = drawnStory(
  'in Arabic',
  html`<connect-donate server=${SERVER} form="gala" locale="ar"></connect-donate>`,
);
export const German = drawnStory(
  'in German',
  html`<connect-donate server=${SERVER} form="gala" locale="de"></connect-donate>`,
);
export const French = drawnStory(
  'in French',
  html`<connect-donate server=${SERVER} form="gala" locale="fr"></connect-donate>`,
);
export const Hebrew = drawnStory(
  'in Hebrew',
  html`<connect-donate server=${SERVER} form="gala" locale="he"></connect-donate>`,
);
export const Hindi = drawnStory(
  'in Hindi',
  html`<connect-donate server=${SERVER} form="gala" locale="hi"></connect-donate>`,
);
export const Japanese = drawnStory(
  'in Japanese',
  html`<connect-donate server=${SERVER} form="gala" locale="ja"></connect-donate>`,
);
export const Chinese = drawnStory(
  'in Chinese',
  html`<connect-donate server=${SERVER} form="gala" locale="zh"></connect-donate>`,
);

export const Themed: Story = drawnStory(
  'in the colors of a page',
  html`<connect-donate
    server=${SERVER}
    form="gala"
    style="--connect-color-primary: #6b2fb5; --connect-border-radius: 2px; --connect-font-family: serif"
  ></connect-donate>`,
);

export const Dressed: Story = drawnStory(
  'dressed by its owner',
  html`<connect-donate
    server=${SERVER}
    form="gala"
    .appearance=${{ theme: 'night', variables: { colorPrimary: '#ffb454', borderRadius: '18px' } }}
  ></connect-donate>`,
);

export const Button: Story = {
  name: 'behind a button',
  render: () =>
    html`<connect-donate server=${SERVER} form="gala" display="button"></connect-donate>`,
  play: ({ canvasElement }) => donorIn(canvasElement).waitFor('[part=open]'),
};

export const Opened: Story = {
  name: 'opened by its button',
  render: Button.render!,
  play: async ({ canvasElement }) => {
    const donor = donorIn(canvasElement);
    await donor.waitFor('[part=open]');
    donor.find('[part=open]')!.click();
    await donor.whenDrawn();
  },
};
