import { Donor } from '@connect-embed/elements/test-support/donor.js';
import { VIEW_STATES } from '@connect-embed/elements/test-support/view-states.js';
import { fullTerms, SERVER } from '@connect-embed/elements/test-support/server.js';
import { server } from '@connect-embed/elements/test-support/set-up.js';
import type { Meta, StoryObj } from '@storybook/web-components-vite';
import { html, type TemplateResult } from 'lit-html';

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
const renderedStory = (name: string, page: TemplateResult): Story => ({
  name,
  render: () => page,
  play: ({ canvasElement }) => donorIn(canvasElement).whenDrawn(),
});

const inLanguage = (name: string, locale: string): Story =>
  renderedStory(
    name,
    html`<connect-donate server=${SERVER} form="gala" locale=${locale}></connect-donate>`,
  );

export const Loading = viewStateStory('loading');
export const Form = viewStateStory('form');
export const AllFields = viewStateStory('form with all fields');
export const MistypedEmail = viewStateStory('mistyped email address');
export const InvalidFields = viewStateStory('invalid fields');
export const Submitting = viewStateStory('submitting');
export const WaitingInLine = viewStateStory('waiting in line');
export const DeclinedCard = viewStateStory('declined card');
export const CardFieldsBlocked = viewStateStory('card fields blocked');
export const ThankYou = viewStateStory('thank-you page');
export const ThankYouWithEveryDetail = viewStateStory('thank-you page with every detail');
export const ThankYouWithLink = viewStateStory('thank-you page with a link to copy');
export const LockedAmounts = viewStateStory('locked amounts');
export const WithGoal = viewStateStory('form with a goal');
export const LoadError = viewStateStory('load error');
export const Offline = viewStateStory('offline');
export const OfflineLoadError = viewStateStory('load error while offline');
export const Captcha = viewStateStory('captcha');
export const FailedCaptcha = viewStateStory('failed captcha');

export const Arabic = inLanguage('in Arabic', 'ar');
export const German = inLanguage('in German', 'de');
export const French = inLanguage('in French', 'fr');
export const Hebrew = inLanguage('in Hebrew', 'he');
export const Hindi = inLanguage('in Hindi', 'hi');
export const Japanese = inLanguage('in Japanese', 'ja');
export const Chinese = inLanguage('in Chinese', 'zh');

export const CustomProperties: Story = renderedStory(
  'with custom properties',
  html`<connect-donate
    server=${SERVER}
    form="gala"
    style="--connect-color-primary: #6b2fb5; --connect-border-radius: 2px; --connect-font-family: serif"
  ></connect-donate>`,
);

export const WithAppearance: Story = renderedStory(
  'with an appearance',
  html`<connect-donate
    server=${SERVER}
    form="gala"
    .appearance=${{ theme: 'night', variables: { colorPrimary: '#ffb454', borderRadius: '18px' } }}
  ></connect-donate>`,
);

export const Button: Story = {
  name: 'button',
  render: () =>
    html`<connect-donate server=${SERVER} form="gala" display="button"></connect-donate>`,
  play: ({ canvasElement }) => donorIn(canvasElement).waitFor('[part=open-button]'),
};

export const StickyButton: Story = {
  ...Button,
  name: 'sticky button',
  render: () =>
    html`<connect-donate server=${SERVER} form="gala" display="sticky"></connect-donate>`,
};

export const LoadErrorWithContent: Story = {
  name: 'load error, with the content of the page',
  beforeEach: () => VIEW_STATES['load error']!.before?.(),
  render: () =>
    html`<connect-donate server=${SERVER} form="gala"
      ><a href="#by-mail">By mail</a></connect-donate
    >`,
  play: ({ canvasElement }) => VIEW_STATES['load error']!.reach(donorIn(canvasElement)),
};

export const OpenDialog: Story = {
  name: 'open dialog',
  render: Button.render!,
  play: async ({ canvasElement }) => {
    const donor = donorIn(canvasElement);
    await donor.waitFor('[part=open-button]');
    donor.find('[part=open-button]')!.click();
    await donor.whenDrawn();
  },
};
