import { html, nothing } from 'lit';
import { giveTexts as texts } from './messages/give.ts';
import type { Paid } from './outcome.ts';

export interface Thanks {
  outcome: Paid;
  /** As the donor's language writes it. */
  amount: string;
  firstName: string;
  organization: string;
}

/** The end of the path: what was given, to whom, and how to ask about it. */
export function renderThanks(
  { outcome, amount, firstName, organization }: Thanks,
  onAgain: () => void,
) {
  const pending = outcome.kind === 'processing';
  return html`
    <div class="message thanks">
      ${pending ? nothing : tick}
      <h2 id="title" tabindex="-1" part="heading">
        ${pending ? texts.pending : texts.thanks(firstName)}
      </h2>
      <p>${(pending ? texts.pendingText : texts.thanksText)(amount, organization)}</p>
      <dl>
        <dt>${texts.reference}</dt>
        <dd>${outcome.reference}</dd>
      </dl>
      <button type="button" class="quiet" @click=${onAgain}>${texts.again}</button>
    </div>
  `;
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
