import { html, nothing, type TemplateResult } from 'lit';
import { interpolate } from '@connect-embed/contract/interpolate';
import { renderAmount, renderFrequencies } from './amount-view.ts';
import { renderPaymentFields, renderWallet } from './payment-fields-view.ts';
import type { DonationDraft } from './donation-draft.ts';
import { renderFee, renderFunds, renderOptionalFields } from './donation-options-view.ts';
import { renderText } from './donor-view.ts';
import type { FormView } from './form-context.ts';

/**
 * Renders the header: the organization's name, the campaign or fund, the owner's introduction, the goal and
 * the test mode badge.
 *
 * @param goal undefined until its code is loaded
 * @param idPrefix of the placeholder, whose texts name nothing
 */
export const renderHeader = (
  { form, messages }: DonationDraft,
  goal?: TemplateResult,
  idPrefix = '',
) => {
  const { organization, campaign_name, fund_name, livemode, terms } = form;
  const purpose = campaign_name ?? fund_name;
  return html`<header>
    ${livemode ? nothing : html`<p class="test"><b>${messages.testMode}</b> ${messages.testModeHint}</p>`}
    <h2 id=${`${idPrefix}title`} part="heading">
      ${interpolate(messages.title, { organization: organization.name })}
    </h2>
    ${purpose ? html`<p class="purpose" id=${`${idPrefix}purpose`}>${purpose}</p>` : nothing}
    ${messages.intro ? html`<p class="purpose">${messages.intro}</p>` : nothing}
    ${terms.show_goal ? html`<div class="goal" part="goal">${goal}</div>` : nothing}
  </header>`;
};

/** Renders the form. Its fields keep their values after a failure. */
export const renderForm = (view: FormView) => html`
  <form
    novalidate
    aria-labelledby="title purpose"
    @submit=${view.on?.submit}
    @pointerenter=${view.on?.approach}
    @focusin=${view.on?.interact}
    @pointerdown=${view.on?.interact}
    @input=${view.on?.interact}
  >
    <div class="fields" ?inert=${isSubmitting(view)}>
      ${renderFrequencies(view)} ${renderAmount(view)} ${renderFee(view)} ${renderFunds(view)}
      ${renderWallet(view)}
      <fieldset>
        <legend>${view.draft.messages.details}</legend>
        ${renderText(view, 'name', 'text', 200)} ${renderText(view, 'email', 'email', 254)}
        ${renderOptionalFields(view)}
      </fieldset>
      ${renderPaymentFields(view)}
    </div>
    ${honeypot} ${view.viewState.banner} ${renderSubmitButton(view)}
    <p class="fine-print">
      ${lockIcon}<span>${view.viewState.progress || view.draft.messages.secure}</span>
    </p>
  </form>
`;

const isSubmitting = ({ viewState }: FormView) => viewState.state.status === 'submitting';

function renderSubmitButton(view: FormView) {
  const { buttonStatus } = view.viewState;
  return html`<button
    class="primary"
    part="submit-button"
    type="submit"
    aria-disabled=${isSubmitting(view) || nothing}
  >
    ${buttonStatus ? html`<i class="spinner"></i>${buttonStatus}` : submitLabel(view.draft)}
  </button>`;
}

/** The label of the Give button: the amount and the frequency. */
function submitLabel(draft: DonationDraft): string {
  const { totalCents, messages, values } = draft;
  const { frequency } = values;
  if (!totalCents) return messages.giveAny;
  const messageKey = frequency !== 'one_time' ? (`give_${frequency}` as const) : 'give';
  return interpolate(messages[messageKey], { amount: draft.formatMoney(totalCents) });
}

/** A field that is hidden from people. Bots that fill in every field fill it in: `server/guard`. */
const honeypot = html`<input
  class="hidden"
  name="website"
  tabindex="-1"
  autocomplete="off"
  aria-hidden="true"
/>`;

const lockIcon = html`<svg viewBox="0 0 16 16" aria-hidden="true">
  <path
    d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3 7h10v7H3z"
    fill="none"
    stroke="currentColor"
    stroke-width="1.4"
    stroke-linejoin="round"
  />
</svg>`;
