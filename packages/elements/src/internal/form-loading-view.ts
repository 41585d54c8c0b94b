import { html, nothing, render } from 'lit';
import type { EmbedForm } from '@connect-embed/contract';
import { renderAmount } from './amount-view.ts';
import { renderForm } from './form-view.ts';
import { DonationDraft, type FormLanguage } from './donation-draft.ts';
import { interpolate } from './interpolate.ts';
import { donateTexts } from './messages/donate.ts';
import type { DonateTexts } from './messages/form-texts.ts';

/** Name of the organization, what the gift is for, and the mark of play money. */
export const renderHeader = ({ form, texts }: DonationDraft, id = 'title') => {
  const { organization, campaign_name, fund_name, livemode } = form;
  const purpose = campaign_name ?? fund_name;
  return html`<header>
    ${livemode ? nothing : html`<p class="test"><b>${texts.testMode}</b> ${texts.testModeHint}</p>`}
    <h2 id=${id} part="heading">
      ${interpolate(texts.title, { organization: organization.name })}
    </h2>
    ${purpose ? html`<p class="purpose">${purpose}</p>` : nothing}
  </header>`;
};

/** A form of the usual size: what the outline is drawn from while the real one is on its way. */
const PLACEHOLDER_FORM = {
  organization: { name: 'the whole neighborhood' },
  currency: 'usd',
  campaign_name: '—',
  // With the place of the test-mode badge, which may take several lines.
  livemode: false,
  prefill: {},
  terms: {
    preset_amounts_cents: [2500, 5000, 10_000, 25_000],
    preset_amounts_by_frequency: {},
    min_amount_cents: 100,
    frequencies: [],
    fund_choices: [],
  },
} as unknown as EmbedForm;

/** Nobody reads its amounts: they are written in the way that costs least. */
const createPlaceholderDraft = (texts: DonateTexts) =>
  new DonationDraft(PLACEHOLDER_FORM, { tag: 'en', words: 'en', texts });

/**
 * The form's own layout with nothing written in it, so that nothing moves when the form comes.
 *
 * Disabled, so that neither a person nor a script can type into what is about to be replaced.
 */
export const renderLoading = (
  { texts }: Pick<FormLanguage, 'texts'>,
  draft = createPlaceholderDraft(texts),
) => html`
  <p class="hidden" id="title">${texts.loading}</p>
  <fieldset class="ghost" disabled aria-hidden="true">
    ${renderHeader(draft, 'ghost')} ${renderForm({ draft })}
  </fieldset>
`;

/**
 * Draws what an outline is made of where nobody sees it, in steps. Most of what a first drawing costs
 * is that a browser reads its templates: here that is done before a tag of the page changes.
 */
export const outlineSteps = [renderAmount, renderForm].map((draw) => () => {
  render(draw({ draft: createPlaceholderDraft(donateTexts) }), document.createDocumentFragment());
});

/**
 * Gentle for the donor, who gets what the owner put into the tag for this; what is wrong is told to
 * the owner in the console.
 */
export const renderFailed = (texts: DonateTexts, onRetry: () => void) => html`
  <div class="message" role="alert">
    <h2 id="title">${navigator.onLine ? texts.loadFailed : texts.offline}</h2>
    <p>${navigator.onLine ? texts.loadFailedHint : texts.offlineHint}</p>
    <button type="button" class="quiet" @click=${onRetry}>${texts.retry}</button>
    <slot></slot>
  </div>
`;
