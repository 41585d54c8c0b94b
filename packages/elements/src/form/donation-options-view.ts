import { html, nothing, type TemplateResult } from '../shared/html.ts';
import type { FormView } from './form-context.ts';
import { interpolate } from '@connect-embed/contract/interpolate';

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
                html`<option value=${id} ?selected=${id === draft.values.fund}>${name}</option>`,
            )}
          </select>
        </div>
      </div>`
    : nothing;
};

/** Renders the option to cover the processing fee, with the resulting total. */
export const renderFee = (view: FormView) => {
  const { draft } = view;
  const { cents, form, messages } = draft;
  if (!form.terms.fee_cover || form.terms.fee_cover === 'off') return nothing;
  const fee = draft.formatMoney(draft.feeCents);
  const text = cents ? interpolate(messages.fee, { fee }) : messages.feeOfAny;
  const gift = draft.formatMoney(cents ?? 0);
  const total = draft.formatMoney((cents ?? 0) + draft.feeCents);
  const sum = cents ? interpolate(messages.feeSum, { gift, fee, total }) : nothing;
  return renderCheck(
    view,
    'coverFee',
    text,
    html`<small class="hint" id="fee-total">${sum}</small>`,
  );
};

/**
 * Renders the optional fields: anonymous, and a collapsed section for dedication and comment. The fields
 * in the section come with `donation-flow.ts`.
 */
export const renderOptionalFields = (view: FormView) => {
  const { form, messages } = view.draft;
  const { allow_anonymous, allow_comment, allow_dedication } = form.terms;
  return html`${allow_anonymous ? renderCheck(view, 'anonymous', messages.anonymous) : nothing}${
    allow_comment || allow_dedication
      ? html`<details>
          <summary>${messages.more}</summary>
          ${view.viewState?.renderTextAreas?.(view)}
        </details>`
      : nothing
  }`;
};

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
