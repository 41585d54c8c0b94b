import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import { speak } from '../../donor-words/language.ts';
import type { Html } from '../../pages/layout.ts';
import type { OpenPlan } from './find-plan.ts';
import { shell } from './shell.ts';

interface View {
  base: string;
  path: string;
  plan: OpenPlan;
}

/** Asks once more before a plan ends. */
export const cancelView = ({ base, path, plan }: View): Html => {
  const { speech, row, organization } = plan;
  const { say } = speech;
  const title = say('cancel_title');
  return shell(
    { base, speech, title, organization: organization.name },
    html`<h1>${title}</h1>
      <p class="sum">
        <strong>${formatMoney(row.amount_cents, row.currency, speech.locale)}</strong>
        <span>${say(row.frequency)}</span>
      </p>
      <p>${say('cancel_text')}</p>
      <div class="acts">
        <a class="button" href="${path}">${say('cancel_no')}</a>
        ${
          row.status === 'paused'
            ? ''
            : html`<form method="post" action="${path}/pause">
                <button class="second">${say('pause_instead')}</button>
              </form>`
        }
        <form method="post" action="${path}/cancel">
          <button class="danger">${say('cancel_yes')}</button>
        </form>
      </div>`,
  );
};

/** What the script of the card page is told. */
export interface CardForm {
  publishableKey: string;
  account: string;
  scriptUrl: string;
}

/** The card processor's own fields, which need JavaScript; nothing else here does. */
export const cardView = ({ base, path, plan }: View, form: CardForm): Html => {
  const { speech, organization, row } = plan;
  const { say } = speech;
  const title = say('change_card');
  return shell(
    { base, speech, title, organization: organization.name, script: true },
    html`<h1>${title}</h1>
      <p class="quiet">${say('card_text')}</p>
      <noscript>
        <p class="notice problem">${say('card_script')}</p>
      </noscript>
      <form
        id="card-form"
        method="post"
        action="${path}/card"
        data-key="${form.publishableKey}"
        data-account="${form.account}"
        data-script="${form.scriptUrl}"
        data-setup="${path}/setup-intents"
        data-return="${path}/card/return"
        data-locale="${speech.language}"
        data-currency="${row.currency}"
        data-blocked="${say('card_blocked')}"
        data-failed="${say('try_again')}"
      >
        <div id="card"></div>
        <p id="problem" class="notice problem" role="alert" hidden></p>
        <input type="hidden" name="setup_intent" />
        <button disabled>${say('card_save')}</button>
      </form>
      <p><a href="${path}">${say('back')}</a></p>`,
  );
};

/** A link of ours whose days are over: a new one may be sent, to the donor only. */
export const expiredView = ({ base, path, plan }: View): Html => {
  const { say } = plan.speech;
  return shell(
    { base, speech: plan.speech, title: say('expired_title') },
    html`<h1>${say('expired_title')}</h1>
      <p class="quiet">${say('expired_text')}</p>
      <form method="post" action="${path}/link">
        <button>${say('expired_send')}</button>
      </form>`,
  );
};

export const sentView = ({ base, plan }: View): Html => {
  const { say } = plan.speech;
  return shell(
    { base, speech: plan.speech, title: say('sent_title') },
    html`<h1>${say('sent_title')}</h1>
      <p class="quiet">${say('sent_text')}</p>`,
  );
};

/** Whatever is no link: it says nothing of what there is. */
export const nowhereView = (base: string, language: string | undefined): Html => {
  const speech = speak(language?.split(',')[0]?.split(';')[0]?.trim() ?? null);
  return shell(
    { base, speech, title: speech.say('nowhere_title') },
    html`<h1>${speech.say('nowhere_title')}</h1>
      <p class="quiet">${speech.say('nowhere_text')}</p>`,
  );
};
