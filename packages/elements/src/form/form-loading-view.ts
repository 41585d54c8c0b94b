import { html, nothing } from '../shared/html.ts';
import type { PublicForm } from '@connect-embed/contract';
import { renderForm } from './form-view.ts';
import { DonationDraft, type FormLanguage } from './donation-draft.ts';
import { interpolate } from '@connect-embed/contract/interpolate';
import type { DonateMessages } from '../shared/message-types.ts';

/**
 * Renders the header: the organization's name, the campaign or fund, the owner's introduction and the
 * test mode badge.
 */
export const renderHeader = ({ form, messages }: DonationDraft, id = 'title') => {
  const { organization, campaign_name, fund_name, livemode } = form;
  return html`<header>
    ${livemode ? nothing : html`<p class="test"><b>${messages.testMode}</b> ${messages.testModeHint}</p>`}
    <h2 id=${id} part="heading">
      ${interpolate(messages.title, { organization: organization.name })}
    </h2>
    ${[campaign_name ?? fund_name, messages.intro].map((text) => text && html`<p class="purpose">${text}</p>`)}
  </header>`;
};

/** A typical form, from which the placeholder is rendered while the real form is loading. */
const PLACEHOLDER_FORM = {
  organization: { name: 'the whole neighborhood' },
  currency: 'usd',
  campaign_name: '—',
  // Reserves the space of the test mode badge, which may take several lines.
  livemode: false,
  prefill: {},
  terms: {
    preset_amounts_cents: [2500, 5000, 10_000, 25_000],
    preset_amounts_by_frequency: {},
    min_amount_cents: 100,
    frequencies: [],
    fund_choices: [],
  },
} as unknown as PublicForm;

/**
 * Uses English, because nobody reads the placeholder's amounts and English dollars are the fastest
 * to format.
 */
const createPlaceholderDraft = (messages: DonateMessages) =>
  new DonationDraft(PLACEHOLDER_FORM, { tag: 'en', code: 'en', messages });

/**
 * Renders the placeholder: the form's own layout without content, so that nothing moves when the
 * form replaces it.
 *
 * It is disabled, so that neither a person nor a script (such as a password manager) can fill in
 * fields that will be replaced.
 */
export const renderLoading = (
  { messages }: Pick<FormLanguage, 'messages'>,
  draft = createPlaceholderDraft(messages),
) => html`
  <p class="hidden" id="title">${messages.loading}</p>
  <fieldset class="skeleton" disabled aria-hidden="true">
    ${renderHeader(draft, 'skeleton')} ${renderForm({ draft })}
  </fieldset>
`;

/**
 * Renders a short error, with the element's fallback content, if also the code of the complete view
 * could not be loaded: `load-error-view.ts`
 */
export const renderLoadError = (messages: DonateMessages, onRetry: () => void) => html`
  <h2 id="title" role="alert">${navigator.onLine ? messages.loadFailed : messages.offline}</h2>
  <button type="button" class="secondary" @click=${onRetry}>${messages.retry}</button>
  <slot></slot>
`;
