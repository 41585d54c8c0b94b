import { formatMoney, MAX_DONATION_CENTS } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Html } from '../../pages/layout.ts';
import { decodeAmounts } from '../amounts.ts';
import { amountPartsOf } from './actions.ts';
import type { ManagedSubscription } from './find-subscription.ts';
import type { SubscriptionViewProps } from './subscription-view.ts';

export const formatAmount = (
  { row, translator }: ManagedSubscription,
  cents: number,
  trim = false,
) => formatMoney(cents, row.currency, translator.locale, { trim });

/**
 * Returns the form to change a subscription's amount. Empty if the donation form allowed only one
 * amount.
 */
export function amountForm({ path, plan, message }: SubscriptionViewProps): Html | '' {
  const { translate } = plan.translator;
  const amounts = decodeAmounts(plan.row.amounts);
  if ('choices' in amounts && amounts.choices.length < 2) return '';
  const fields =
    'choices' in amounts ? amountChoices(plan, amounts.choices) : amountField(plan, amounts);
  return html`<details ${message?.kind === 'problem' ? 'open' : ''}>
    <summary>${translate('change_amount')}</summary>
    <form method="post" action="${path}/amount">
      ${fields}
      ${plan.row.fee_cover ? html`<p class="small muted">${translate('fee_follows')}</p>` : ''}
      <button>${translate('save')}</button>
    </form>
  </details>`;
}

const amountField = (plan: ManagedSubscription, { min, max }: { min: number; max: number }) => {
  const { translate } = plan.translator;
  const bounds = { min: formatAmount(plan, min, true), max: formatAmount(plan, max, true) };
  // The maximum that Stripe can charge is no useful hint for the donor.
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
      value="${formatAmount(plan, amountPartsOf(plan).donationCents)}"
      aria-describedby="amount-hint"
    />
    <span id="amount-hint" class="small muted">${translate(hint, bounds)}</span>
  </div>`;
};

const amountChoices = (plan: ManagedSubscription, choices: number[]) =>
  html`<fieldset>
    <legend>${plan.translator.translate('new_amount')}</legend>
    ${choices.map(
      (cents) =>
        html`<label class="choice">
          <input
            type="radio"
            name="cents"
            value="${cents}"
            required
            ${cents === amountPartsOf(plan).donationCents ? 'checked' : ''}
          />
          <span>${formatAmount(plan, cents)}</span>
        </label>`,
    )}
  </fieldset>`;
