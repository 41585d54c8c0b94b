import { formatMoney, MAX_DONATION_CENTS } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Html } from '../../pages/layout.ts';
import { readAmounts } from '../amounts.ts';
import { partsOfPlan } from './acts.ts';
import type { OpenPlan } from './find-plan.ts';
import type { PlanView } from './plan-view.ts';

export const moneyOf = ({ row, speech }: OpenPlan, cents: number, trim = false) =>
  formatMoney(cents, row.currency, speech.locale, { trim });

/** Nothing to change where the form has one amount only. */
export function amountForm({ path, plan, notice }: PlanView): Html | '' {
  const { say } = plan.speech;
  const amounts = readAmounts(plan.row.amounts);
  if ('choices' in amounts && amounts.choices.length < 2) return '';
  const fields =
    'choices' in amounts ? choicesOf(plan, amounts.choices) : amountField(plan, amounts);
  return html`<details ${notice?.kind === 'problem' ? 'open' : ''}>
    <summary>${say('change_amount')}</summary>
    <form method="post" action="${path}/amount">
      ${fields} ${plan.row.fee_cover ? html`<p class="small quiet">${say('fee_follows')}</p>` : ''}
      <button>${say('save')}</button>
    </form>
  </details>`;
}

const amountField = (plan: OpenPlan, { min, max }: { min: number; max: number }) => {
  const { say } = plan.speech;
  const bounds = { min: moneyOf(plan, min, true), max: moneyOf(plan, max, true) };
  // The bound of what can be charged at all is not worth telling.
  const hint = max < MAX_DONATION_CENTS ? 'amount_hint' : 'amount_hint_open';
  return html`<div class="field">
    <label for="amount">${say('new_amount')}</label>
    <input
      id="amount"
      name="amount"
      inputmode="decimal"
      autocomplete="off"
      required
      maxlength="30"
      value="${moneyOf(plan, partsOfPlan(plan).givenCents)}"
      aria-describedby="amount-hint"
    />
    <span id="amount-hint" class="small quiet">${say(hint, bounds)}</span>
  </div>`;
};

const choicesOf = (plan: OpenPlan, choices: number[]) =>
  html`<fieldset>
    <legend>${plan.speech.say('new_amount')}</legend>
    ${choices.map(
      (cents) =>
        html`<label class="choice">
          <input
            type="radio"
            name="cents"
            value="${cents}"
            required
            ${cents === partsOfPlan(plan).givenCents ? 'checked' : ''}
          />
          <span>${moneyOf(plan, cents)}</span>
        </label>`,
    )}
  </fieldset>`;
