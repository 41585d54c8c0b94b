import type { Donor } from '@connect-embed/contract';
import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import { renderDate, renderText } from './internal/format.ts';
import { languageOf } from './internal/language.ts';
import { tableTexts as texts } from './internal/messages/tables.ts';
import { Pages } from './internal/pages.ts';
import { renderName, placeRows, renderTable, type Column } from './internal/table.ts';
import { tableStyles } from './internal/table.styles.ts';
import { tokens } from './internal/tokens.styles.ts';

const columns = (language: string): readonly Column<Donor>[] => [
  { label: texts.name, names: true, cell: (donor) => renderName(fullName(donor)) },
  { label: texts.email, cell: ({ email }) => renderText(email) },
  { label: texts.place, cell: (donor) => renderText(placeOf(donor)) },
  { label: texts.since, width: 'slim', cell: ({ created_at }) => renderDate(created_at, language) },
];

const joined = (parts: (string | null)[], by: string) => parts.filter(Boolean).join(by) || null;

const fullName = ({ first_name, last_name }: Donor) => joined([first_name, last_name], ' ');

const placeOf = ({ city, state, country }: Donor) => joined([city, state, country], ', ');

/**
 * A read-only table of an organization's donors, newest first; new ones appear by themselves.
 *
 * @tag connect-donors
 * @fires {ConnectLoadStartEvent} connect-loaderstart - The first page is being read.
 * @fires {ConnectReadyEvent} connect-ready - The first page is shown.
 * @fires {ConnectLoadErrorEvent} connect-loaderror - A page could not be read.
 * @slot empty - Shown when there are no donors yet.
 * @csspart frame - The card around the table.
 * @csspart table - The `<table>`.
 * @csspart more - The button that reads the next page.
 */
export class ConnectDonors extends LitElement {
  static override styles = [tokens, tableStyles];

  /** Where the server answers; by default where the script came from. */
  @property() server = '';

  /** Says who is looking; the page's own server makes it. Sent to the server as a bearer token. */
  @property({ attribute: 'viewer-token' }) viewerToken: string | null = null;

  /** Rows read at a time, 1 to 100 (spec: Limits). */
  @property({ type: Number }) limit = 25;

  /** Seconds between two looks for new rows while the page is seen; 0 never looks. */
  @property({ type: Number, attribute: 'refresh-seconds' }) refreshSeconds = 5;

  readonly #pages = new Pages<Donor>(this, 'donors');

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
      title: texts.donors,
      columns: columns(language),
      pages: this.#pages,
      language,
    };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-donors': ConnectDonors;
  }
}
