import { formatMoney, MAX_DONATION_CENTS } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import { decodeAmounts } from '@connect-embed/api/payments/subscriptions/amounts';
import { amountPartsOf, rateForNewAmount } from './actions.ts';
import type { ManagedSubscription, SubscriptionViewProps } from './find-subscription.ts';

export const formatAmount = (
  { row, translator }: ManagedSubscription,
  cents: number,
  trim = false,
) => formatMoney(cents, row.currency, translator.locale, { trim });

/**
 * Renders the form to change a subscription's amount. Returns an empty string if the donation form
 * allowed only one amount.
 */
export function amountForm(view: SubscriptionViewProps): Html | '' {
  const { path, subscription, message } = view;
  const problem = problemOf(view);
  const { translate } = subscription.translator;
  const amounts = decodeAmounts(subscription.row.amounts);
  if ('choices' in amounts && amounts.choices.length < 2) return '';
  const fields =
    'choices' in amounts
      ? amountChoices(subscription, amounts.choices)
      : amountField(view, amounts);
  return html`<details ${message?.kind === 'problem' ? 'open' : ''}>
    <summary>${translate('change_amount')}</summary>
    <form method="post" action="${path}/amount">
      ${fields}
      ${problem && html`<p id="amount-problem" class="small wrong" role="alert">${problem}</p>`}
      ${rateForNewAmount(subscription) ? html`<p class="small muted">${translate('fee_follows')}</p>` : ''}
      <button>${translate('save')}</button>
    </form>
  </details>`;
}

/** Why an amount was rejected; undefined if none was. */
const problemOf = ({ message, rejectedAmount }: SubscriptionViewProps) =>
  rejectedAmount === undefined ? undefined : message?.text;

const amountField = (
  { subscription, rejectedAmount }: SubscriptionViewProps,
  { min, max }: { min: number; max: number },
) => {
  const { translate } = subscription.translator;
  const bounds = {
    min: formatAmount(subscription, min, true),
    max: formatAmount(subscription, max, true),
  };
  // The hint omits the maximum if it is only the largest amount that Stripe can charge.
  const hint = max < MAX_DONATION_CENTS ? 'amount_hint' : 'amount_hint_open';
  return html`<div class="field">
    <label for="amount">${translate('new_amount')}</label>
    <input
      id="amount"
      name="amount"
      inputmode="decimal"
      autocomplete="off"
      required
      maxlength="30"
      value="${rejectedAmount ?? formatAmount(subscription, amountPartsOf(subscription).donationCents)}"
      ${rejectedAmount === undefined ? '' : html`aria-invalid="true" autofocus`}
      aria-describedby="${rejectedAmount === undefined ? '' : 'amount-problem '}amount-hint"
    />
    <span id="amount-hint" class="small muted">${translate(hint, bounds)}</span>
  </div>`;
};

const amountChoices = (subscription: ManagedSubscription, choices: number[]) =>
  html`<fieldset>
    <legend>${subscription.translator.translate('new_amount')}</legend>
    ${choices.map(
      (cents) =>
        html`<label class="choice">
          <input
            type="radio"
            name="cents"
            value="${cents}"
            required
            ${cents === amountPartsOf(subscription).donationCents ? 'checked' : ''}
          />
          <span>${formatAmount(subscription, cents)}</span>
        </label>`,
    )}
  </fieldset>`;
