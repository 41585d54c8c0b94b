import { DEBIT_BUSINESS_DAYS, formatMoney, isDebit, methodOptions } from '@connect-embed/contract';
import { createTranslator, type MessageKey, type Translator } from '@connect-embed/locales';
import { html } from 'hono/html';
import { createManageTranslator, type ManagedSubscription } from './find-subscription.ts';
import type { Html } from '@connect-embed/api/lib/html';
import { pageLayout } from './page-layout.ts';

interface ViewProps {
  base: string;
  path: string;
  subscription: ManagedSubscription;
}

/** Renders the page that asks for confirmation before a subscription is canceled. */
export const cancelView = ({ base, path, subscription }: ViewProps): Html => {
  const { translator, row, organization } = subscription;
  const { translate } = translator;
  const title = translate('cancel_title');
  return pageLayout(
    { base, translator, title, organization: organization.name },
    html`<h1>${title}</h1>
      <p class="plan-amount">
        <strong>${formatMoney(row.amount_cents, row.currency, translator.locale)}</strong>
        <span>${translate(row.frequency)}</span>
      </p>
      <p>${translate('cancel_text')}</p>
      <div class="actions">
        <a class="button" href="${path}">${translate('cancel_no')}</a>
        ${
          row.status === 'paused'
            ? ''
            : html`<form method="post" action="${path}/pause">
                <button class="secondary">${translate('pause_instead')}</button>
              </form>`
        }
        <form method="post" action="${path}/cancel">
          <button class="danger">${translate('cancel_yes')}</button>
        </form>
      </div>`,
  );
};

/** Values that the card page passes to its script `card.js`. */
interface CardForm {
  publishable_key: string;
  stripe_account_id: string | null;
  scriptUrl: string;
  /** The payment methods to choose from, in this order. */
  methods: readonly string[];
}

/** When the money of each bank debit arrives, in the words of the donation form. */
function debitHints(
  methods: readonly string[],
  { locale, translate }: Translator<MessageKey<'donationFlow'>>,
): Record<string, string> {
  const hintOf = (days: number) => translate('debitHint', { days: days.toLocaleString(locale) });
  return Object.fromEntries(
    methods.filter(isDebit).map((type) => [type, hintOf(DEBIT_BUSINESS_DAYS[type])]),
  );
}

/**
 * Renders the page with Stripe's card fields, the only page of a subscription that needs
 * JavaScript.
 */
export const cardView = ({ base, path, subscription }: ViewProps, form: CardForm): Html => {
  const { translator, organization, row } = subscription;
  const { translate } = translator;
  const formTranslator = createTranslator(translator.locale, 'donationFlow');
  const title = translate('change_card');
  const billing = { name: row.donor_name || undefined, email: row.donor_email || undefined };
  return pageLayout(
    { base, translator, title, organization: organization.name, usesCardScript: true },
    html`<h1>${title}</h1>
      <p class="muted">${translate(row.status === 'past_due' ? 'past_due_note' : 'card_text')}</p>
      <noscript>
        <p class="notice problem">${translate('card_script')}</p>
      </noscript>
      <form
        id="card-form"
        method="post"
        action="${path}/card"
        data-key="${form.publishable_key}"
        data-account="${form.stripe_account_id ?? ''}"
        data-script="${form.scriptUrl}"
        data-setup="${path}/setup-intents"
        data-return="${path}/card/return"
        data-locale="${translator.language}"
        data-currency="${row.currency}"
        data-methods="${form.methods.join(' ')}"
        data-options="${JSON.stringify(methodOptions(form.methods))}"
        data-billing="${JSON.stringify(billing)}"
        data-hints="${JSON.stringify(debitHints(form.methods, formTranslator))}"
        data-blocked="${translate('card_blocked')}"
        data-failed="${translate('try_again')}"
        data-unverified="${formTranslator.translate('payment_intent_authentication_failure')}"
      >
        <div id="card"></div>
        <p id="hint" class="small muted" role="status"></p>
        <p id="problem" class="notice problem" role="alert" hidden></p>
        <input type="hidden" name="setup_intent" />
        <button disabled>${translate('card_save')}</button>
      </form>
      <p><a href="${path}">${translate('back')}</a></p>`,
  );
};

/** Renders the page for an expired link, where the donor can request a new link by email. */
export const linkExpiredView = ({ base, path, subscription }: ViewProps): Html => {
  const { translate } = subscription.translator;
  return pageLayout(
    { base, translator: subscription.translator, title: translate('expired_title') },
    html`<h1>${translate('expired_title')}</h1>
      <p class="muted">${translate('expired_text')}</p>
      <form method="post" action="${path}/link">
        <button>${translate('expired_send')}</button>
      </form>`,
  );
};

export const linkSentView = ({ base, subscription }: ViewProps): Html => {
  const { translate } = subscription.translator;
  return pageLayout(
    { base, translator: subscription.translator, title: translate('sent_title') },
    html`<h1>${translate('sent_title')}</h1>
      <p class="muted">${translate('sent_text')}</p>`,
  );
};

/** Renders the page for an invalid link. It reveals nothing about existing subscriptions. */
export const notFoundView = (base: string, language: string | undefined): Html => {
  const translator = createManageTranslator(language?.split(',')[0]?.split(';')[0]?.trim() ?? null);
  return pageLayout(
    { base, translator, title: translator.translate('not_found_title') },
    html`<h1>${translator.translate('not_found_title')}</h1>
      <p class="muted">${translator.translate('not_found_text')}</p>`,
  );
};
