import {
  currencySymbol,
  formatMoney,
  MAX_DONATION_CENTS,
  type EmbedForm,
} from '@connect-embed/contract';
import { html } from 'hono/html';
import {
  OTHER_AMOUNT,
  presetsOf,
  type CheckoutField,
  type FormTranslator,
  type Problems,
  type TypedDonation,
} from './typed-donation.ts';

/** The form for donors without JavaScript. */
export interface CheckoutForm {
  form: EmbedForm;
  typed: TypedDonation;
  problems: Problems;
  /** What went wrong, if it does not concern a field. */
  notice?: string | undefined;
}

/** The texts of the giving page around the form. */
interface PageTexts {
  title: string;
  toPayment: string;
  paymentPage: string;
  recurringNeedsScript: string;
}

interface View extends CheckoutForm {
  t: FormTranslator;
}

/**
 * Renders a form for donors without JavaScript. It is for one-time donations, which the donor pays on a
 * page of Stripe Checkout: docs/decisions/0100-giving-pages.md
 *
 * It has no `action`, so it is sent to the address of the page.
 */
export function checkoutForm(checkout: CheckoutForm, t: FormTranslator, texts: PageTexts) {
  const view = { ...checkout, t };
  const { form, typed, notice } = view;
  const own = form.presentation?.messages;
  const isRecurringOffered = form.terms.frequencies.some((frequency) => frequency !== 'one_time');
  return html`<form method="post" class="note checkout">
    ${form.livemode ? '' : html`<p class="test">${t.translate('testMode')}</p>`}
    <h2 dir="auto">${own?.['title'] ?? texts.title}</h2>
    ${notice ? html`<p class="problem banner" role="alert">${notice}</p>` : ''}
    ${own?.['intro'] ? html`<p dir="auto">${own['intro']}</p>` : ''} ${purpose(view)}
    ${amountField(view)} ${fundField(view)}
    <fieldset>
      <legend>${t.translate('details')}</legend>
      ${textField(view, 'name', 'text', 200)} ${textField(view, 'email', 'email', 254)}
      ${optionalFields(view)}
    </fieldset>
    ${form.terms.fee_cover === 'off' ? '' : checkbox('coverFee', t.translate('feeOfAny'), typed.coverFee)}
    <input type="hidden" name="key" value="${typed.key}" autocomplete="off" />
    <input
      class="hidden"
      name="website"
      value="${typed.website}"
      tabindex="-1"
      autocomplete="off"
      aria-hidden="true"
    />
    <button>${texts.toPayment}</button>
    <p class="hint">${texts.paymentPage}</p>
    ${isRecurringOffered ? html`<p class="hint">${texts.recurringNeedsScript}</p>` : ''}
  </form>`;
}

/** Renders the fund or campaign that the terms fix. */
const purpose = ({ form: { fund_name, campaign_name } }: View) =>
  [campaign_name, fund_name]
    .filter((name) => name !== null)
    .map((name) => html`<p dir="auto">${name}</p>`);

function amountField(view: View) {
  const { form, typed, problems, t } = view;
  const { amount_locked } = form.terms;
  const presets = presetsOf(form);
  const { impact_texts, impact_texts_by_frequency } = form.presentation ?? {};
  const impacts = impact_texts_by_frequency?.['one_time'] ?? impact_texts;
  const isFocused = problems.amount !== undefined && typed.amount !== OTHER_AMOUNT;
  const choice = (value: string, label: string, impact?: string) =>
    html`<label class="preset">
      <input
        type="radio"
        name="amount"
        value="${value}"
        required
        ${typed.amount === value ? 'checked' : ''}
        ${isFocused && value === String(presets[0]) ? 'autofocus' : ''}
      />
      <span dir="auto">${label}${impact ? html`<small dir="auto">${impact}</small>` : ''}</span>
    </label>`;
  return html`<fieldset ${problems.amount ? html`aria-describedby="amount-problem"` : ''}>
    <legend>${t.translate('amount')}</legend>
    ${
      presets.length > 0
        ? html`<div class="presets">
            ${presets.map((cents) => choice(String(cents), format(view, cents), impacts?.[cents]))}
            ${amount_locked ? '' : choice(OTHER_AMOUNT, t.translate('otherAmount'))}
          </div>`
        : ''
    }
    ${amount_locked ? '' : otherAmount(view, presets.length > 0)} ${problem(problems, 'amount')}
  </fieldset>`;
}

/** Renders the field for another amount. With presets, it appears when the donor chooses that. */
function otherAmount(view: View, hasPresets: boolean) {
  const { form, typed, problems, t } = view;
  const { min_amount_cents, max_amount_cents } = form.terms;
  const bounds = { min: format(view, min_amount_cents), max: format(view, max_amount_cents) };
  // A form without a maximum of its own names none: docs/decisions/0002-specification-gaps.md
  const hint = max_amount_cents < MAX_DONATION_CENTS ? 'amountBetween' : 'amountFrom';
  const { symbol, isSuffix } = currencySymbol(format(view, 0));
  const symbolNode = html`<span class="symbol" dir="auto" aria-hidden="true">${symbol}</span>`;
  return html`<div class="field ${hasPresets ? 'other' : ''}">
    <label for="other">${t.translate(hasPresets ? 'otherAmount' : 'anyAmount')}</label>
    <div class="control">
      ${isSuffix ? '' : symbolNode}
      <input
        id="other"
        name="other"
        value="${typed.other}"
        inputmode="decimal"
        autocomplete="off"
        maxlength="30"
        aria-describedby="${problems.amount ? 'amount-problem' : 'amount-hint'}"
        ${hasPresets ? '' : 'required'}
        ${problems.amount ? html`aria-invalid="true" autofocus` : ''}
      />
      ${isSuffix ? symbolNode : ''}
    </div>
    ${problems.amount ? '' : html`<p class="hint" id="amount-hint">${t.translate(hint, bounds)}</p>`}
  </div>`;
}

function fundField({ form, typed, problems, t }: View) {
  const { fund_choices } = form.terms;
  if (fund_choices.length < 2) return '';
  return html`<div class="field">
    <label for="fund">${t.translate('fund')}</label>
    <div class="control">
      <select id="fund" name="fund" ${describedBy(problems, 'fund')}>
        ${fund_choices.map(
          ({ id, name }) =>
            html`<option value="${id}" ${id === typed.fund ? 'selected' : ''}>${name}</option>`,
        )}
      </select>
    </div>
    ${problem(problems, 'fund')}
  </div>`;
}

const textField = (
  { typed, problems, t }: View,
  field: 'name' | 'email',
  type: string,
  maxLength: number,
) =>
  html`<div class="field">
    <label for="${field}">
      ${t.translate(field)} <span class="optional">${t.translate('required')}</span>
    </label>
    <div class="control">
      <input
        id="${field}"
        name="${field}"
        type="${type}"
        value="${typed[field]}"
        dir="auto"
        autocomplete="${field}"
        maxlength="${maxLength}"
        required
        ${describedBy(problems, field)}
      />
    </div>
    ${problem(problems, field)}
  </div>`;

/** Renders the optional fields that the form offers. */
function optionalFields(view: View) {
  const { form, typed, t } = view;
  const { allow_anonymous, allow_comment, allow_dedication } = form.terms;
  return html`${allow_anonymous ? checkbox('anonymous', t.translate('anonymous'), typed.anonymous) : ''}
  ${allow_dedication ? textArea(view, 'dedication', 200) : ''}
  ${allow_comment ? textArea(view, 'comment', 500) : ''}`;
}

// The line break after the start tag is not part of the value, and keeps one that the donor typed.
const textArea = (
  { typed, problems, t }: View,
  field: 'dedication' | 'comment',
  maxLength: number,
) =>
  html`<div class="field">
    <label for="${field}">${t.translate(field)}</label>
    <div class="control">
      <textarea
        id="${field}"
        name="${field}"
        rows="2"
        dir="auto"
        maxlength="${maxLength}"
        ${describedBy(problems, field)}
      >
${typed[field]}</textarea>
    </div>
    ${problem(problems, field)}
  </div>`;

const checkbox = (name: string, label: string, checked: boolean) =>
  html`<label class="checkbox">
    <input type="checkbox" name="${name}" value="yes" ${checked ? 'checked' : ''} />
    <span>${label}</span>
  </label>`;

/** The browser scrolls to the first field with an error, and focuses it. */
const describedBy = (problems: Problems, field: CheckoutField) =>
  problems[field] ? html`aria-invalid="true" aria-describedby="${field}-problem" autofocus` : '';

const problem = (problems: Problems, field: CheckoutField) =>
  problems[field] ? html`<p class="problem" id="${field}-problem">${problems[field]}</p>` : '';

const format = ({ form, t }: View, cents: number) =>
  formatMoney(cents, form.currency, t.locale, { trim: true });
