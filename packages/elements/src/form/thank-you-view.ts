import { html, nothing } from 'lit';
import { interpolate } from '@connect-embed/contract/interpolate';
import type { FormMessages } from '../shared/message-types.ts';
import type { CompletedPayment } from './payment-outcome.ts';

/** The content of the thank-you page, formatted in the donor's language. */
export interface ThankYouContent {
  messages: FormMessages;
  /** Language code of the texts. */
  language: string;
  payment: CompletedPayment;
  /** The amount that was charged. */
  amount: string;
  /** The amount without the processing fee. */
  amountWithoutFee: string;
  /** The part of the amount that covers the processing fee; empty without one. */
  fee: string;
  date: string;
  /** The day of the next payment; empty for a donation that is made once. */
  nextDate: string;
  organization: string;
  /** URL of the organization's logo; empty without one. */
  logo: string;
  /** Email address of the organization; empty without one. */
  contact: string;
  campaign: string;
  /** True if the organization sends a receipt by email. */
  receipts: boolean;
  /** Business days until the money arrives, if it arrives later; otherwise empty. */
  daysToArrive: string;
  /** The test mode notice; empty in live mode. */
  testNotice: string;
  /** URL to share; undefined if the page's URL is of no use to others. */
  link: string | undefined;
  /** Result of sharing, as `shareLink` returns it. */
  shareResult: 'copied' | 'shown' | undefined;
}

/** The buttons of the thank-you page. */
export interface ThankYouActions {
  again: () => void;
  logoFailed: () => void;
  print: () => void;
  share: () => void;
}

/**
 * Renders the thank-you page: the donation's details, what happens next, and how to contact the
 * organization about it.
 */
export function renderThankYou(thanks: ThankYouContent, on: ThankYouActions) {
  const { messages, payment, testNotice } = thanks;
  const { firstName, email, recurringFrequency } = payment;
  const pending = isPending(thanks);
  const receipt = receiptText(thanks);
  return html`
    ${testNotice ? html`<p class="test">${testNotice}</p>` : nothing}
    <div class="message thank-you">
      ${thanks.logo ? html`<img class="logo" src=${thanks.logo} alt="" @error=${on.logoFailed} />` : pending ? nothing : checkmark}
      <h2 id="title" tabindex="-1" part="heading">
        ${pending ? (thanks.daysToArrive ? messages.onItsWay : messages.pending) : firstName ? interpolate(messages.thanks, { name: firstName }) : messages.thanksAll}
      </h2>
      <p>${confirmationText(thanks)}</p>
      ${payment.impact && html`<p class="impact"><strong>${thanks.amountWithoutFee}</strong> ${payment.impact}</p>`}
      ${messages.thanksNote ? html`<p class="own-text">${messages.thanksNote}</p>` : nothing}
      ${receipt ? html`<p>${receipt}</p>` : nothing}
      ${recurringFrequency && !pending ? html`<p>${messages[`plan_${recurringFrequency}`]} ${receipt ? messages.planLink : nothing}</p>` : nothing}
      <dl class=${thanks.fee ? 'with-fee' : nothing}>
        ${donationFacts(thanks).map(
          ([name, fact]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${fact}</dd>
            </div>`,
        )}
      </dl>
      ${thanks.shareResult === 'shown' ? renderLink(thanks) : nothing}
      ${thanks.link ? renderShare(thanks, on.share) : nothing}
      ${thanks.contact || !email ? nothing : html`<p class="hint">${messages.questions}</p>`}
      <div class="links">
        ${thanks.contact ? renderContact(thanks) : nothing}
        <button type="button" class="link" @click=${on.print}>${messages.print}</button>
        <button type="button" class="link" @click=${on.again}>${messages.again}</button>
      </div>
    </div>
  `;
}

const isPending = ({ payment }: ThankYouContent) => payment.kind === 'processing';

/** The confirmation sentence, on screen and in print. */
export function confirmationText(thanks: ThankYouContent): string {
  const { messages, amount, organization, daysToArrive: days } = thanks;
  const { thanksText, pendingText, onItsWayText } = messages;
  const text = isPending(thanks) ? (days ? onItsWayText : pendingText) : thanksText;
  return interpolate(text, { amount, organization, days });
}

/** When the receipt is sent and where to, on screen and in print; empty if none is sent, or it is not known when. */
export function receiptText(thanks: ThankYouContent): string {
  const { messages, payment, receipts, daysToArrive } = thanks;
  const { email } = payment;
  if (!receipts || !email || (isPending(thanks) && !daysToArrive)) return '';
  return interpolate(daysToArrive ? messages.receiptLater : messages.receipt, { email });
}

/** The donation's details as label and value, without unknown ones. */
export const donationFacts = ({ messages, payment, ...thanks }: ThankYouContent) =>
  (
    [
      ...(thanks.fee
        ? ([
            [messages.gift, thanks.amountWithoutFee],
            [messages.processingFee, thanks.fee],
            [messages.total, thanks.amount],
          ] as const)
        : ([[messages.amount, thanks.amount]] as const)),
      [messages.dedication, payment.dedication],
      [messages.fundName, payment.fund],
      [messages.campaignName, thanks.campaign],
      [messages.date, thanks.date],
      [messages.nextPayment, thanks.nextDate],
      [messages.reference, payment.code],
    ] as const
  ).filter((fact): fact is readonly [string, string] => Boolean(fact[1]));

const renderShare = ({ messages, shareResult }: ThankYouContent, onShare: () => void) =>
  html`<button type="button" class="primary" @click=${onShare}>
    ${shareResult === 'copied' ? messages.linkCopied : messages.share}
  </button>`;

/** The reference in the subject tells the organization which donation the donor writes about. */
const renderContact = ({ messages, payment, contact, organization }: ThankYouContent) =>
  html`<a href=${`mailto:${contact}?subject=${encodeURIComponent(payment.code ?? '')}`}
    >${interpolate(messages.write, { organization })}</a
  >`;

/** If writing to the clipboard is not allowed, the donor can copy the URL from this field. */
const renderLink = ({ messages, link }: ThankYouContent) =>
  html`<div class="field">
    <label for="link">${messages.copyLink}</label>
    <div class="control"><input id="link" readonly dir="ltr" .value=${link!} /></div>
  </div>`;

const checkmark = html`<svg class="checkmark" viewBox="0 0 48 48" aria-hidden="true">
  <circle cx="24" cy="24" r="22" fill="none" stroke="currentColor" stroke-width="2.5" />
  <path
    d="m15 24.5 6.5 6.5L34 18"
    fill="none"
    stroke="currentColor"
    stroke-width="3"
    stroke-linecap="round"
    stroke-linejoin="round"
  />
</svg>`;
