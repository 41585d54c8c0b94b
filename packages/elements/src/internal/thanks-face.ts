import { html, nothing } from 'lit';
import { fill } from './fill.ts';
import type { FormTexts } from './messages/form-texts.ts';
import type { MadeGift } from './gift-record.ts';

/** Everything that the thank-you says, as the donor's language writes it. */
export interface Thanks {
  texts: FormTexts;
  /** Of the words. */
  language: string;
  gift: MadeGift;
  amount: string;
  date: string;
  /** The day of the next payment; empty for a donation that is made once. */
  nextDate: string;
  organization: string;
  campaign: string;
  /** A receipt is on its way. */
  receipts: boolean;
  /** That no money has moved; empty where it has. */
  test: string;
  /** What a month would cost; empty where no monthly donation can be offered. */
  monthlyAmount: string;
  /** The address to share; undefined where the page is of no use to others. */
  link: string | undefined;
  /** What became of sharing. */
  shared: 'copied' | 'shown' | undefined;
}

/** What a donor can do after giving. */
export interface ThanksActions {
  again: () => void;
  monthly: () => void;
  print: () => void;
  share: () => void;
}

/** The end of the path: what was given, to whom, what comes next, and how to ask about it. */
export function renderThanks(thanks: Thanks, on: ThanksActions) {
  const { texts, gift, test } = thanks;
  const { firstName, email, often } = gift;
  const pending = isPending(thanks);
  const receipt = thanks.receipts && email && !pending;
  return html`
    ${test ? html`<p class="test">${test}</p>` : nothing}
    <div class="message thanks">
      ${pending ? nothing : tick}
      <h2 id="title" tabindex="-1" part="heading">
        ${pending ? texts.pending : firstName ? fill(texts.thanks, { name: firstName }) : texts.thanksAll}
      </h2>
      <p>${sentenceOf(thanks)}</p>
      ${receipt ? html`<p>${fill(texts.receipt, { email })}</p>` : nothing}
      ${often ? html`<p>${texts[`plan_${often}`]} ${receipt ? texts.planLink : nothing}</p>` : nothing}
      <dl>
        ${factsOf(thanks).map(
          ([name, fact]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${fact}</dd>
            </div>`,
        )}
      </dl>
      ${thanks.monthlyAmount ? renderMonthly(thanks, on.monthly) : nothing}
      ${email ? html`<p class="hint">${texts.questions}</p>` : nothing}
      ${thanks.shared === 'shown' ? renderLink(thanks) : nothing}
      <div class="actions">
        ${thanks.link ? renderShare(thanks, on.share) : nothing}
        <button type="button" class="quiet" @click=${on.print}>${texts.print}</button>
        <button type="button" class="quiet" @click=${on.again}>${texts.again}</button>
      </div>
    </div>
  `;
}

const isPending = ({ gift }: Thanks) => gift.kind === 'processing';

/** What is known of the gift: on paper it is as true as on the screen. */
export const sentenceOf = (thanks: Thanks) =>
  fill(isPending(thanks) ? thanks.texts.pendingText : thanks.texts.thanksText, {
    amount: thanks.amount,
    organization: thanks.organization,
  });

/** Without those that nobody knows. */
export const factsOf = ({ texts, gift, ...thanks }: Thanks) =>
  (
    [
      [texts.amount, thanks.amount],
      [texts.fundName, gift.fund],
      [texts.campaignName, thanks.campaign],
      [texts.date, thanks.date],
      [texts.nextPayment, thanks.nextDate],
      [texts.reference, gift.code],
    ] as const
  ).filter((fact): fact is readonly [string, string] => Boolean(fact[1]));

/** Leads back to the form, which says when the first payment is and charges nothing by itself. */
const renderMonthly = ({ texts, monthlyAmount }: Thanks, onMonthly: () => void) =>
  html`<div class="offer">
    <p>${fill(texts.monthlyOffer, { amount: monthlyAmount })}</p>
    <button type="button" class="give" @click=${onMonthly}>${texts.makeMonthly}</button>
  </div>`;

const renderShare = ({ texts, shared }: Thanks, onShare: () => void) =>
  html`<button type="button" class="quiet" @click=${onShare}>
    ${shared === 'copied' ? texts.linkCopied : texts.share}
  </button>`;

/** Where nothing may be written to the clipboard, the donor copies the address by hand. */
const renderLink = ({ texts, link }: Thanks) =>
  html`<div class="field">
    <label for="link">${texts.copyLink}</label>
    <div class="box"><input id="link" readonly dir="ltr" .value=${link!} /></div>
  </div>`;

const tick = html`<svg class="tick" viewBox="0 0 48 48" aria-hidden="true">
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
