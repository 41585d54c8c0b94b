import { html, nothing } from 'lit';
import { fill } from './fill.ts';
import type { FormTexts } from './messages/form-texts.ts';
import type { MadeGift } from './gift-record.ts';
import type { Paid } from './outcome.ts';

export interface Thanks {
  texts: FormTexts;
  /** Of the words. */
  language: string;
  outcome: Paid;
  /** As the donor's language writes it. */
  amount: string;
  date: string;
  firstName: string;
  email: string;
  organization: string;
  /** A receipt is on its way. */
  receipts: boolean;
  often: MadeGift['often'];
  /** That no money has moved; empty where it has. */
  test: string;
  /** The donation's own name, or the payment's while it is not yet known. */
  reference: string;
}

/** The end of the path: what was given, to whom, what comes next, and how to ask about it. */
export function renderThanks(thanks: Thanks, onAgain: () => void) {
  const { texts, outcome, firstName, often, email, test } = thanks;
  const pending = outcome.kind === 'processing';
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
      ${email ? html`<p class="hint">${fill(texts.next, { email })}</p>` : nothing}
      <div class="actions">
        <button type="button" class="quiet" @click=${() => print(thanks)}>${texts.print}</button>
        <button type="button" class="quiet" @click=${onAgain}>${texts.again}</button>
      </div>
    </div>
  `;
}

/** What is known of the gift: on paper it is as true as on the screen. */
const sentenceOf = ({ texts, outcome, amount, organization }: Thanks) =>
  fill(outcome.kind === 'processing' ? texts.pendingText : texts.thanksText, {
    amount,
    organization,
  });

const factsOf = ({ texts, amount, date, reference }: Thanks) =>
  [
    [texts.amount, amount],
    [texts.date, date],
    [texts.reference, reference],
  ] as const;

/**
 * Prints the gift and nothing of the page around it: from a frame of its own, made of nodes and
 * not of a text, so that no policy of the page is in the way.
 */
function print(thanks: Thanks) {
  const frame = document.createElement('iframe');
  // Not `hidden`: what is not laid out at all comes out of some printers as an empty sheet.
  frame.style.cssText = 'position:fixed!important;inline-size:0;block-size:0;border:0;opacity:0';
  frame.ariaHidden = 'true';
  document.body.append(frame);
  const { contentDocument: paper, contentWindow: window } = frame;
  if (!paper || !window) return frame.remove();
  const line = (tag: 'h1' | 'p', text: string) => {
    const element = paper.createElement(tag);
    element.textContent = text;
    element.dir = 'auto';
    paper.body.append(element);
  };
  paper.documentElement.lang = thanks.language;
  paper.title = thanks.organization;
  line('h1', thanks.organization);
  if (thanks.test) line('p', thanks.test);
  line('p', sentenceOf(thanks));
  for (const [name, fact] of factsOf(thanks)) line('p', `${name}: ${fact}`);
  window.addEventListener('afterprint', () => frame.remove());
  window.print();
}

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
