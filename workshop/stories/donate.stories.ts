import { Donor } from '@connect-embed/elements/test-support/donor.js';
import { FACES } from '@connect-embed/elements/test-support/faces.js';
import { longTerms, SERVER } from '@connect-embed/elements/test-support/server.js';
import { server } from '@connect-embed/elements/test-support/set-up.js';
import type { Meta, StoryObj } from '@storybook/web-components-vite';
import { html, type TemplateResult } from 'lit';

export default {
  title: 'connect-donate',
  component: 'connect-donate',
  beforeEach: () => server.offer({ terms: longTerms() }),
} satisfies Meta;

type Story = StoryObj;

const donorIn = (canvas: HTMLElement) => new Donor(canvas.querySelector('connect-donate')!);

/** A face as the element tests reach it. */
const face = (name: keyof typeof FACES): Story => ({
  name,
  beforeEach: () => FACES[name]!.before?.(),
  render: () => html`<connect-donate server=${SERVER} form="gala"></connect-donate>`,
  play: ({ canvasElement }) => FACES[name]!.reach(donorIn(canvasElement)),
});

/** The form as it is drawn, in a page of this kind. */
const drawn = (name: string, page: TemplateResult): Story => ({
  name,
  render: () => page,
  play: ({ canvasElement }) => donorIn(canvasElement).drawn(),
});

export const OnItsWay = face('the form on its way');
export const Form = face('the form');
export const Unfolded = face('the form, all unfolded, with a card');
export const Problems = face('problems');
export const UnderWay = face('a gift under way');
export const Refused = face('a refused card');
export const Blocked = face('a blocked card form');
export const Thanks = face('the thank-you');
export const NotToBeHad = face('a form that cannot be had');

export const Arabic = drawn(
  'in Arabic',
  html`<connect-donate server=${SERVER} form="gala" locale="ar"></connect-donate>`,
);
export const German = drawn(
  'in German',
  html`<connect-donate server=${SERVER} form="gala" locale="de"></connect-donate>`,
);
export const French = drawn(
  'in French',
  html`<connect-donate server=${SERVER} form="gala" locale="fr"></connect-donate>`,
);
export const Hebrew = drawn(
  'in Hebrew',
  html`<connect-donate server=${SERVER} form="gala" locale="he"></connect-donate>`,
);
export const Hindi = drawn(
  'in Hindi',
  html`<connect-donate server=${SERVER} form="gala" locale="hi"></connect-donate>`,
);
export const Japanese = drawn(
  'in Japanese',
  html`<connect-donate server=${SERVER} form="gala" locale="ja"></connect-donate>`,
);
export const Chinese = drawn(
  'in Chinese',
  html`<connect-donate server=${SERVER} form="gala" locale="zh"></connect-donate>`,
);

export const Themed: Story = drawn(
  'in the colors of a page',
  html`<connect-donate
    server=${SERVER}
    form="gala"
    style="--connect-color-primary: #6b2fb5; --connect-border-radius: 2px; --connect-font-family: serif"
  ></connect-donate>`,
);

export const Dressed: Story = drawn(
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
  play: ({ canvasElement }) => donorIn(canvasElement).shows('[part=open]'),
};

export const Opened: Story = {
  name: 'opened by its button',
  render: Button.render!,
  play: async ({ canvasElement }) => {
    const donor = donorIn(canvasElement);
    await donor.shows('[part=open]');
    donor.find('[part=open]')!.click();
    await donor.drawn();
  },
};
