import { html, nothing, type TemplateResult } from 'lit';
import { interpolate } from '@connect-embed/contract/interpolate';
import type { FormView } from './form-context.ts';

/** Renders the choice of funds; nothing if the form offers only one. */
export const renderFunds = ({ draft, on }: FormView) => {
  const { fund_choices: funds } = draft.form.terms;
  return funds[1]
    ? html`<div class="field">
        <label for="fund">${draft.messages.fund}</label>
        <div class="control">
          <select
            id="fund"
            @change=${(event: Event) => on?.change({ fund: (event.target as HTMLSelectElement).value })}
          >
            ${funds.map(
              ({ id, name }) =>
                html`<option value=${id} .selected=${id === draft.values.fund}>${name}</option>`,
            )}
          </select>
        </div>
      </div>`
    : nothing;
};

/** Renders the option to cover the processing fee, with the resulting total. A bank debit leaves its space empty. */
export const renderFee = (view: FormView) => {
  const { draft } = view;
  const { cents, form, messages } = draft;
  const { fee_cover } = form.terms;
  if (!fee_cover || fee_cover === 'off') return nothing;
  const fee = draft.formatMoney(draft.feeCents);
  const text = cents ? interpolate(messages.fee, { fee }) : messages.feeOfAny;
  const gift = draft.formatMoney(cents ?? 0);
  const total = draft.formatMoney((cents ?? 0) + draft.feeCents);
  const sum = cents ? interpolate(messages.feeSum, { gift, fee, total }) : nothing;
  const hint = html`<small class="hint" id="fee-total">${sum}</small>`;
  return html`<div class=${draft.isDebit ? 'waiting' : nothing}>
    ${renderCheck(view, 'coverFee', text, hint)}
  </div>`;
};

/** Renders the optional fields: anonymous, and a collapsed section for dedication and comment. */
export const renderOptionalFields = (view: FormView) => {
  const { form, messages } = view.draft;
  const { allow_anonymous, allow_comment, allow_dedication } = form.terms;
  return html`${allow_anonymous ? renderCheck(view, 'anonymous', messages.anonymous) : nothing}${
    allow_comment || allow_dedication
      ? html`<details>
          <summary>${messages.more}</summary>
          ${allow_dedication ? renderTextArea(view, 'dedication', 200) : nothing}
          ${allow_comment ? renderTextArea(view, 'comment', 500) : nothing}
        </details>`
      : nothing
  }`;
};

const renderTextArea = (
  { draft, on }: FormView,
  field: 'dedication' | 'comment',
  maxLength: number,
) =>
  html`<div class="field">
    <label for=${field}>${draft.messages[field]}</label>
    <div class="control">
      <textarea
        id=${field}
        rows="2"
        maxlength=${maxLength}
        .value=${draft.values[field]}
        @input=${(event: Event) => on?.change({ [field]: (event.target as HTMLTextAreaElement).value })}
      ></textarea>
    </div>
  </div>`;

const renderCheck = (
  { draft, on }: FormView,
  field: 'coverFee' | 'anonymous',
  label: string,
  hint?: TemplateResult,
) =>
  html`<label class="checkbox">
    <input
      type="checkbox"
      name=${field}
      aria-labelledby=${field}
      aria-describedby=${hint ? 'fee-total' : nothing}
      .checked=${draft.values[field]}
      @change=${(event: Event) => on?.change({ [field]: (event.target as HTMLInputElement).checked })}
    />
    <span><span id=${field}>${label}</span>${hint ?? nothing}</span>
  </label>`;
