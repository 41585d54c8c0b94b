import { formatDate, formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Words } from '../../donor-words/language.ts';
import type { Html } from '../../pages/layout.ts';
import { partsOfPlan } from './acts.ts';
import { amountForm, moneyOf } from './amount-form.ts';
import type { History, OpenPlan } from './find-plan.ts';
import { shell } from './shell.ts';

export interface PlanView {
  base: string;
  /** `{base}/plans/{token}`: where the forms go. */
  path: string;
  plan: OpenPlan;
  history: History;
  /** The plan has ended, and a form can be opened for its donor. */
  mayGiveAgain: boolean;
  notice?: { kind: 'good' | 'problem'; text: string } | undefined;
}

/** A plan: what it is, what has been given, and what can be done about it. */
export const planView = (view: PlanView): Html => {
  const { plan, base, notice } = view;
  const { say } = plan.speech;
  const title = say('plan_title', { org: plan.organization.name });
  return shell(
    { base, speech: plan.speech, title, organization: plan.organization.name },
    html`<h1>${title}</h1>
      ${
        notice
          ? html`<p
              class="notice ${notice.kind}"
              role="${notice.kind === 'good' ? 'status' : 'alert'}"
            >
              ${notice.text}
            </p>`
          : ''
      }
      ${sumOf(plan)} ${factsOf(plan)} ${noteOf(plan)}
      ${plan.row.status === 'canceled' ? againOf(view) : actsOf(view)} ${historyOf(view)}
      ${plan.row.status === 'canceled' ? '' : html`<p class="small quiet">${say('manage_note')}</p>`}`,
  );
};

const sumOf = (plan: OpenPlan) => {
  const { row, speech } = plan;
  return html`<p class="sum">
      <strong>${moneyOf(plan, row.amount_cents)}</strong> <span>${speech.say(row.frequency)}</span>
    </p>
    ${coverOf(plan)}
    <p class="state ${row.status}">${speech.say(row.status)}</p>`;
};

/** The organization's day, in the donor's language. */
const dateOf = (at: Date, { speech: { locale }, organization: { timeZone } }: OpenPlan) =>
  formatDate(at, 'long-date', { locale, timeZone });
/** What the donor adds for the card fee; it is part of the sum above. */
function coverOf(plan: OpenPlan): Html | '' {
  const { givenCents, coverCents } = partsOfPlan(plan);
  if (coverCents === 0) return '';
  const values = { gift: moneyOf(plan, givenCents), fee: moneyOf(plan, coverCents) };
  return html`<p class="small quiet">${plan.speech.say('fee_covered', values)}</p>`;
}

const againOf = ({ path, plan, mayGiveAgain }: PlanView): Html | '' =>
  mayGiveAgain
    ? html`<div class="acts">
        <a class="button" href="${path}/again">${plan.speech.say('donate_again')}</a>
      </div>`
    : '';

const factsOf = (plan: OpenPlan) => {
  const { row, speech } = plan;
  const date = (at: Date | null) => at && dateOf(at, plan);
  const facts: [keyof Words, string | null][] = [
    ['next_gift', date(row.next_payment_at)],
    ['fund', plan.fundName],
    ['campaign', plan.campaignName],
    ['card', row.card_label && row.status !== 'canceled' ? cardOf(row.card_label) : null],
    ['since', date(row.created_at)],
  ];
  return html`<dl class="facts">
    ${facts.map(([key, value]) =>
      value
        ? html`<dt>${speech.say(key)}</dt>
            <dd>${value}</dd>`
        : '',
    )}
  </dl>`;
};

/** `visa 4242` → `Visa •••• 4242` */
const cardOf = (label: string) =>
  label.replace(
    /^(\w)(\w*) (\d{4})$/,
    (_, first: string, rest: string, last: string) => `${first.toUpperCase()}${rest} •••• ${last}`,
  );

function noteOf({ row, speech }: OpenPlan): Html | '' {
  const { status } = row;
  if (status === 'past_due')
    return html`<p class="notice problem">${speech.say('past_due_note')}</p>`;
  if (status === 'paused') return html`<p class="notice">${speech.say('paused_note')}</p>`;
  return status === 'canceled' ? html`<p class="notice">${speech.say('canceled_note')}</p>` : '';
}

function actsOf(view: PlanView): Html {
  const { path, plan } = view;
  const { say } = plan.speech;
  const { status } = plan.row;
  const overdue = status === 'past_due';
  const card = html`<a class="button ${overdue ? '' : 'second'}" href="${path}/card"
    >${say('change_card')}</a
  >`;
  const rest = status === 'paused' ? 'resume' : 'pause';
  return html`<div class="acts">
    ${overdue ? card : ''} ${amountForm(view)} ${overdue ? '' : card}
    <form method="post" action="${path}/${rest}">
      <button class="${rest === 'resume' ? '' : 'second'}">${say(rest)}</button>
    </form>
    <a class="quiet-end" href="${path}/cancel">${say('cancel')}</a>
  </div>`;
}

function historyOf({ history, plan }: PlanView): Html | '' {
  if (history.length === 0) return '';
  const { speech } = plan;
  return html`<h2 id="given">${speech.say('given')}</h2>
    <ul class="history" aria-labelledby="given">
      ${history.map(
        ({ amount_cents, currency, paid_at }) =>
          html`<li>
            <span>${dateOf(paid_at, plan)}</span>
            <strong>${formatMoney(amount_cents, currency, speech.locale)}</strong>
          </li>`,
      )}
    </ul>`;
}
