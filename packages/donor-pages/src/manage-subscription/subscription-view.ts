import { formatDate, formatMoney, isDebit } from '@connect-embed/contract';
import { createTranslator } from '@connect-embed/locales';
import { html } from 'hono/html';
import type { ManageKey, ManagedSubscription, SubscriptionViewProps } from './find-subscription.ts';
import type { Html } from '@connect-embed/api/lib/html';
import { amountPartsOf } from './actions.ts';
import { amountForm, formatAmount } from './amount-form.ts';
import { pageLayout } from './page-layout.ts';

/** Renders the main page of a subscription: its state, its payments and the possible changes. */
export const subscriptionView = (view: SubscriptionViewProps): Html => {
  const { subscription, base, message, rejectedAmount } = view;
  const { translate } = subscription.translator;
  const title = translate('plan_title', { org: subscription.organization.name });
  return pageLayout(
    {
      base,
      translator: subscription.translator,
      title: rejectedAmount === undefined ? title : `${message!.text} – ${title}`,
      organization: subscription.organization.name,
    },
    html`<h1>${title}</h1>
      ${
        message && rejectedAmount === undefined
          ? html`<p
              class="notice ${message.kind}"
              role="${message.kind === 'success' ? 'status' : 'alert'}"
            >
              ${message.text}
            </p>`
          : ''
      }
      ${renderAmount(subscription)} ${renderDetails(subscription)} ${renderStatusNote(subscription)}
      ${subscription.row.status === 'canceled' ? renderDonateAgain(view) : renderActions(view)}
      ${renderHistory(view)}
      ${subscription.row.status === 'canceled' ? '' : html`<p class="small muted">${translate('manage_note')}</p>`}`,
  );
};

const renderAmount = (subscription: ManagedSubscription) => {
  const { row, translator } = subscription;
  return html`<p class="plan-amount ${row.status}">
      <strong>${formatAmount(subscription, row.amount_cents)}</strong>
      <span>${translator.translate(row.frequency)}</span>
    </p>
    ${renderFeeCover(subscription)}
    <p class="plan-status ${row.status}">${translator.translate(row.status)}</p>`;
};

/** Formats a date in the organization's time zone and the donor's language. */
const formatDay = (
  at: Date,
  { translator: { locale }, organization: { timeZone } }: ManagedSubscription,
) => formatDate(at, 'long-date', { locale, timeZone });
/** Shows the part of the amount that covers the card fee. */
function renderFeeCover(subscription: ManagedSubscription): Html | '' {
  const { donationCents, coverCents } = amountPartsOf(subscription);
  if (coverCents === 0) return '';
  const values = {
    gift: formatAmount(subscription, donationCents),
    fee: formatAmount(subscription, coverCents),
  };
  return html`<p class="small muted">
    ${subscription.translator.translate('fee_covered', values)}
  </p>`;
}

const renderDonateAgain = ({
  path,
  subscription,
  canDonateAgain,
}: SubscriptionViewProps): Html | '' =>
  canDonateAgain
    ? html`<div class="actions">
        <a class="button" href="${path}/again"
          >${subscription.translator.translate('donate_again')}</a
        >
      </div>`
    : '';

const renderDetails = (subscription: ManagedSubscription) => {
  const { row, translator } = subscription;
  const date = (at: Date | null) => at && formatDay(at, subscription);
  const facts: [ManageKey, string | null][] = [
    ['next_gift', date(row.next_payment_at)],
    ['fund', subscription.fundName],
    ['campaign', subscription.campaignName],
    [
      'card',
      row.card_label && row.status !== 'canceled' ? formatMethod(row.card_label, translator) : null,
    ],
    ['since', date(row.created_at)],
  ];
  return html`<dl class="facts">
    ${facts.map(([key, value]) =>
      value
        ? html`<dt>${translator.translate(key)}</dt>
            <dd>${value}</dd>`
        : '',
    )}
  </dl>`;
};

/**
 * Formats the stored label of a payment method: `visa 4242` becomes `Visa •••• 4242`, and `sepa_debit 3201`
 * `Bank account •••• 3201`.
 */
function formatMethod(label: string, translator: ManagedSubscription['translator']): string {
  const [method = '', last] = label.split(' ');
  const name = isDebit(method)
    ? translator.translate('bank_account')
    : `${method.charAt(0).toUpperCase()}${method.slice(1)}`;
  return last ? `${name} •••• ${last}` : name;
}

function renderStatusNote(subscription: ManagedSubscription): Html | '' {
  const { row, organization, translator } = subscription;
  const { status } = row;
  if (needsMethod(row)) {
    const values = { amount: formatAmount(subscription, row.amount_cents), org: organization.name };
    // The text of the email that has led to this page.
    const { translate } = createTranslator(translator.locale, 'email');
    return html`<p class="notice problem">${translate('plan_method_lost_text', values)}</p>`;
  }
  if (status === 'past_due')
    return html`<p class="notice problem">${translator.translate('past_due_note')}</p>`;
  if (status === 'paused')
    return html`<p class="notice">${translator.translate('paused_note')}</p>`;
  return status === 'canceled'
    ? html`<p class="notice">${translator.translate('canceled_note')}</p>`
    : '';
}

/** Whether the bank or the donor has ended the permission to charge the account. */
const needsMethod = ({ status, payment_method_lost_at: lostAt }: ManagedSubscription['row']) =>
  lostAt !== null && status !== 'canceled';

function renderActions(view: SubscriptionViewProps): Html {
  const { path, subscription } = view;
  const { translate } = subscription.translator;
  const { status } = subscription.row;
  const overdue = status === 'past_due' || needsMethod(subscription.row);
  const card = html`<a class="button ${overdue ? '' : 'secondary'}" href="${path}/card"
    >${translate('change_card')}</a
  >`;
  const toggleAction = status === 'paused' ? 'resume' : 'pause';
  const toggle = html`<form method="post" action="${path}/${toggleAction}">
    <button class="${toggleAction === 'resume' ? '' : 'secondary'}">
      ${translate(toggleAction)}
    </button>
  </form>`;
  const end = html`<a class="end-plan" href="${path}/cancel">${translate('cancel')}</a>`;
  const changes = overdue ? [card, amountForm(view)] : [amountForm(view), card];
  return html`<ul class="actions plain">
    ${[...changes, toggle, end].map((action) => action && html`<li>${action}</li>`)}
  </ul>`;
}

function renderHistory({ history, subscription }: SubscriptionViewProps): Html | '' {
  if (history.length === 0) return '';
  const { translator } = subscription;
  return html`<h2 id="given">${translator.translate('given')}</h2>
    <ul class="history" aria-labelledby="given">
      ${history.map(
        ({ remaining_amount_cents, currency, paid_at }) =>
          html`<li>
            <span>${formatDay(paid_at, subscription)}</span>
            <strong>${formatMoney(remaining_amount_cents, currency, translator.locale)}</strong>
          </li>`,
      )}
    </ul>`;
}
