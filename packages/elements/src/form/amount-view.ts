import { html, nothing } from 'lit';
import { currencySymbol } from '@connect-embed/contract/currency';
import { interpolate } from '@connect-embed/contract/interpolate';
import type { DonorInput } from './donation-draft.ts';
import { renderProblem } from './donor-view.ts';
import type { FormView } from './form-context.ts';

/** Renders the choice of frequency; nothing if the form offers only one. */
export const renderFrequencies = (view: FormView) => {
  const { form, messages } = view.draft;
  const { frequencies } = form.terms;
  return frequencies.length > 1
    ? html`<fieldset>
        <legend class="hidden">${messages.frequency}</legend>
        <div class="segments">
          ${frequencies.map((frequency) => renderChoice(view, 'frequency', 'frequency', frequency, messages[frequency]))}
        </div>
      </fieldset>`
    : nothing;
};

/**
 * Renders the preset amounts, and the field for another amount unless the form's amounts are locked. Below them
 * are what the selected amount achieves, and the question whether to give monthly.
 */
export function renderAmount(view: FormView) {
  const { draft, viewState } = view;
  const { presets, values, messages } = draft;
  const { amount_locked: locked } = draft.form.terms;
  const problem = viewState.problems.amount;
  const describedBy = problem ? 'amount-problem' : locked ? nothing : 'amount-hint';
  return html`<fieldset
    class=${problem && !values.other ? 'invalid' : nothing}
    aria-describedby=${describedBy}
  >
    <legend>${messages.amount}</legend>
    <div class="tiles">
      ${presets.map((cents) => renderChoice(view, 'amount', 'presetCents', cents, draft.formatMoney(cents)))}
      ${locked ? nothing : renderOtherAmount(view, presets.length ? messages.otherAmount : messages.anyAmount, describedBy)}
    </div>
    ${problem ? renderProblem('amount', problem) : nothing} ${renderImpact(view)}
    ${renderMonthlyQuestion(view)}
  </fieldset>`;
}

/** Renders a radio button that is styled as a button. */
const renderChoice = (
  { draft, on }: FormView,
  name: string,
  field: 'frequency' | 'presetCents',
  value: DonorInput[typeof field],
  label: string,
) =>
  html`<label class="option">
    <input
      type="radio"
      name=${name}
      value=${value}
      .checked=${draft.values[field] === value}
      @change=${() => on?.change({ [field]: value })}
    />
    <span>${label}</span>
  </label>`;

/** Renders the last tile, which turns into a text field when the donor enters it. */
function renderOtherAmount(
  { draft, viewState, on }: FormView,
  label: string,
  describedBy: unknown,
) {
  const { symbol, isSuffix } = currencySymbol(draft.formatMoney(0));
  const symbolNode = html`<span class="symbol" aria-hidden="true">${symbol}</span>`;
  return html`<div class="option other ${draft.values.other ? 'filled' : ''}">
    <label for="other">
      <span id="other-label">${label}</span>
      <span class="hint" id="amount-hint">${draft.amountHint}</span>
    </label>
    <div class="control">
      ${isSuffix ? nothing : symbolNode}
      <input
        id="other"
        name="other"
        inputmode="decimal"
        autocomplete="transaction-amount"
        maxlength="30"
        aria-labelledby="other-label"
        .value=${draft.values.other}
        aria-invalid=${viewState.problems.amount ? 'true' : nothing}
        aria-describedby=${describedBy}
        @input=${(event: Event) => on?.change({ other: (event.target as HTMLInputElement).value })}
      />
      ${isSuffix ? symbolNode : nothing}
    </div>
  </div>`;
}

/** Renders what the selected amount achieves. Its line is kept free if only other amounts have a text. */
function renderImpact({ draft }: FormView) {
  const { cents, impactTexts } = draft;
  const text = cents && impactTexts[cents];
  return Object.keys(impactTexts).length
    ? html`<p class="impact" aria-live="polite">
        ${text ? html`<bdi>${draft.formatMoney(cents)}</bdi> – ${text}` : nothing}
      </p>`
    : nothing;
}

/**
 * Renders the question whether to give monthly instead, until the donor has chosen a frequency. Its line is kept
 * free while the amount has no lower monthly one; the message about a problem takes its place.
 */
function renderMonthlyQuestion({ draft, viewState, on }: FormView) {
  const { monthlyInstead: cents, canAskForMonthly, messages } = draft;
  const handleClick = ({ target }: Event) => {
    on?.change({ frequency: 'monthly', presetCents: cents });
    const form = (target as Element).closest('form'); // The button is about to go away.
    form?.querySelector<HTMLElement>('[value=monthly]')?.focus();
  };
  return canAskForMonthly && !viewState.problems.amount
    ? html`<button
        type="button"
        class="link monthly ${cents ? '' : 'waiting'}"
        @click=${handleClick}
      >
        ${interpolate(messages.monthlyInstead, { amount: draft.formatMoney(cents ?? 0) })}
      </button>`
    : nothing;
}
