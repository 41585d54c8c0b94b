import type { Donation } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import { LitElement, html, nothing } from 'lit';
import { property } from 'lit/decorators.js';
import { renderDate, renderText } from './internal/format.ts';
import { languageOf } from './internal/language.ts';
import { donationBadge, tableTexts as texts } from './internal/messages/tables.ts';
import { Pages } from './internal/pages.ts';
import { renderBadge, renderName, placeRows, renderTable, type Column } from './internal/table.ts';
import { tableStyles } from './internal/table.styles.ts';
import { tokens } from './internal/tokens.styles.ts';

const columns = (language: string): readonly Column<Donation>[] => [
  { label: texts.date, width: 'slim', cell: ({ created_at }) => renderDate(created_at, language) },
  { label: texts.donor, names: true, cell: ({ donor_name }) => renderName(donor_name) },
  { label: texts.fund, cell: ({ fund_name }) => renderText(fund_name) },
  {
    label: texts.status,
    width: 'wide',
    cell: (donation) => renderStatus(donation, language),
  },
  {
    label: texts.amount,
    number: true,
    width: 'slim',
    cell: ({ amount_cents, currency }) => formatMoney(amount_cents, currency, language),
  },
];

function renderStatus(donation: Donation, language: string) {
  const { refunded_amount_cents, currency, recurring } = donation;
  const refunded = formatMoney(refunded_amount_cents, currency, language, { trim: true });
  return html`<span>
    ${renderBadge(donationBadge(donation, refunded))}
    ${recurring ? html`<span class="muted">${texts.recurring}</span>` : nothing}
  </span>`;
}

/**
 * A read-only table of an organization's donations, newest first; new ones appear by themselves.
 *
 * @tag connect-donations
 * @fires {ConnectLoadStartEvent} connect-loaderstart - The first page is being read.
 * @fires {ConnectReadyEvent} connect-ready - The first page is shown.
 * @fires {ConnectLoadErrorEvent} connect-loaderror - A page could not be read.
 * @slot empty - Shown when there are no donations yet.
 * @csspart frame - The card around the table.
 * @csspart table - The `<table>`.
 * @csspart more - The button that reads the next page.
 */
export class ConnectDonations extends LitElement {
  static override styles = [tokens, tableStyles];

  /** Where the server answers; by default where the script came from. */
  @property() server = '';

  /** Says who is looking; the page's own server makes it. Sent to the server as a bearer token. */
  @property({ attribute: 'viewer-token' }) viewerToken: string | null = null;

  /** Rows read at a time, 1 to 100 (spec: Limits). */
  @property({ type: Number }) limit = 25;

  /** Seconds between two looks for new rows while the page is seen; 0 never looks. */
  @property({ type: Number, attribute: 'refresh-seconds' }) refreshSeconds = 5;

  readonly #pages = new Pages<Donation>(this, 'donations');

  /** Forgets what is shown and reads the first page again. */
  refresh(): Promise<void> {
    return this.#pages.first();
  }

  protected override render() {
    return renderTable(this.#view);
  }

  protected override updated() {
    placeRows(this.renderRoot, this.#view);
  }

  get #view() {
    const language = languageOf(this);
    return {
      title: texts.donations,
      columns: columns(language),
      pages: this.#pages,
      language,
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-donations': ConnectDonations;
  }
}
