import { html } from 'lit';
import type { PublicForm } from '@connect-embed/contract';
import type { DonateMessages } from '../shared/message-types.ts';
import { DonationDraft } from './donation-draft.ts';
import { LOADING_STATE } from './form-context.ts';
import { renderForm, renderHeader } from './form-view.ts';

/** A typical form, from which the placeholder is rendered while the real form is loading. */
const PLACEHOLDER_FORM = {
  organization: { name: 'the whole neighborhood' },
  currency: 'usd',
  campaign_name: '—'.repeat(12),
  livemode: true,
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
 * Renders the placeholder: the form's own layout without content, so that nothing moves when the
 * form replaces it.
 *
 * It is disabled, so that neither a person nor a script (such as a password manager) can fill in
 * fields that will be replaced. Its amounts are in English, because nobody reads them and English
 * dollars are the fastest to format.
 */
export function renderPlaceholder(messages: DonateMessages) {
  const draft = new DonationDraft(PLACEHOLDER_FORM, { tag: 'en', code: 'en', messages });
  return html`
    <p class="hidden" id="title">${messages.loading}</p>
    <fieldset class="skeleton" disabled aria-hidden="true">
      ${renderHeader(draft, undefined, 'skeleton-')}
      ${renderForm({ draft, viewState: LOADING_STATE, slot: 'none' })}
    </fieldset>
  `;
}
