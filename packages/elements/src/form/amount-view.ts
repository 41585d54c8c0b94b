import { html, nothing } from 'lit';
import { currencySymbol } from '@connect-embed/contract/currency';
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
        <div
          class="presets frequency"
          .style=${longestLabelStyle(frequencies.map((frequency) => messages[frequency]))}
        >
          ${frequencies.map((frequency) => renderChoice(view, 'frequency', 'frequency', frequency, messages[frequency]))}
        </div>
      </fieldset>`
    : nothing;
};

/** Renders the preset amounts, and a text field for another amount unless the form's amounts are locked. */
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
    ${
      presets.length
        ? html`<div
            class="presets"
            .style=${longestLabelStyle(presets.map((cents) => draft.formatMoney(cents)))}
          >
            ${presets.map((cents) => renderChoice(view, 'amount', 'presetCents', cents, draft.formatMoney(cents), draft.impactOf(cents)))}
          </div>`
        : nothing
    }
    ${locked ? nothing : renderOtherAmount(view, presets.length ? messages.otherAmount : messages.anyAmount, describedBy)}
    ${
      problem
        ? renderProblem('amount', problem)
        : locked
          ? nothing
          : html`<p class="hint" id="amount-hint">${draft.amountHint}</p>`
    }
  </fieldset>`;
}

/**
 * The length of the longest label, for the column widths in `amount.styles.ts`. It is set as a property:
 * a strict Content-Security-Policy of the page blocks style attributes, which also `styleMap` writes.
 */
const longestLabelStyle = (labels: string[]) =>
  `--_letters:${Math.max(...labels.map(({ length }) => length))}`;

/** Renders a radio button that is styled as a button. */
const renderChoice = (
  { draft, on }: FormView,
  name: string,
  field: 'frequency' | 'presetCents',
  value: DonorInput[typeof field],
  label: string,
  impact?: string,
) =>
  html`<label class="preset">
    <input
      type="radio"
      name=${name}
      value=${value}
      .checked=${draft.values[field] === value}
      @change=${() => on?.change({ [field]: value })}
    />
    <span>${label}${impact && html`<small>${impact}</small>`}</span>
  </label>`;

function renderOtherAmount(
  { draft, viewState, on }: FormView,
  label: string,
  describedBy: unknown,
) {
  const { symbol, isSuffix } = currencySymbol(draft.formatMoney(0));
  const symbolNode = html`<span class="symbol" aria-hidden="true">${symbol}</span>`;
  return html`<div class="field">
    <label for="other">${label}</label>
    <div class="control">
      ${isSuffix ? nothing : symbolNode}
      <input
        id="other"
        name="other"
        inputmode="decimal"
        autocomplete="transaction-amount"
        maxlength="30"
        .value=${draft.values.other}
        aria-invalid=${viewState.problems.amount ? 'true' : nothing}
        aria-describedby=${describedBy}
        @input=${(event: Event) => on?.change({ other: (event.target as HTMLInputElement).value })}
      />
      ${isSuffix ? symbolNode : nothing}
    </div>
  </div>`;
}
