import type { Donation, List, PayoutDonation } from '@connect-embed/contract';
import { html, nothing } from 'lit';
import { renderDate, renderMoney, renderName } from '../internal/format.ts';
import { tableTexts } from '../internal/messages/tables.ts';
import type { Look } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';

/** Gifts that are read at a time. */
const PARTS_AT_A_TIME = 25;

/** How the parts are asked for, and what is to be done when they are there. */
interface Source {
  ask(query: string): Promise<List<PayoutDonation>>;
  changed(): void;
  /** Donations of the payout, which name their donors; none where the session may not read them. */
  donations(cursor: string | null): Promise<List<Donation> | undefined>;
  /** Where a donation is shown; none where the page has no place for it. */
  linkTo(donationId: string): string | undefined;
}

/** The gifts, refunds and disputes that make up a payout. */
export class PayoutParts {
  readonly #source: Source;
  #parts: PayoutDonation[] = [];
  #cursor: string | null = null;
  /** The read that counts, while there is one. */
  #reading: object | undefined;
  #failed = false;
  /** Names of donors by donation; undefined where they are not known. */
  #donors: Map<string, string | null> | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Begins anew; what is shown stays until the first of them are there. */
  first(): Promise<void> {
    return this.#read(null);
  }

  render(look: Look) {
    if (!this.#parts.length && !this.#failed) {
      return html`<p class="note">${texts.noParts}</p>`;
    }
    return html`${this.#parts.length ? this.#renderTable(look) : nothing}
    ${
      this.#failed
        ? html`<div class="note" role="alert">
            <p>${texts.failed}</p>
            <button class="quiet" @click=${this.#more}>${texts.retry}</button>
          </div>`
        : nothing
    }
    ${this.#cursor && !this.#failed ? this.#renderMore() : nothing}`;
  }

  readonly #more = () => {
    if (!this.#reading) void this.#read(this.#cursor);
  };

  async #read(cursor: string | null) {
    const reading = (this.#reading = {});
    this.#source.changed();
    const limit = `${PARTS_AT_A_TIME}`;
    const query = new URLSearchParams(cursor ? { limit, cursor } : { limit });
    if (!cursor) void this.#readDonors();
    try {
      const page = await this.#source.ask(`${query}`);
      if (reading !== this.#reading) return; // Somebody has begun anew.
      this.#parts = cursor ? [...this.#parts, ...page.data] : page.data;
      this.#cursor = page.next_cursor;
      this.#failed = false;
    } catch {
      if (reading !== this.#reading) return;
      if (!cursor) this.#parts = [];
      this.#failed = true; // The payout itself stands.
    }
    this.#reading = undefined;
    this.#source.changed();
  }

  /** The parts stand without them. */
  async #readDonors() {
    const donors = new Map<string, string | null>();
    this.#donors = undefined;
    try {
      let cursor: string | null = null;
      do {
        const page: List<Donation> | undefined = await this.#source.donations(cursor);
        if (!page) return;
        for (const { id, donor_name } of page.data) donors.set(id, donor_name);
        cursor = page.next_cursor;
      } while (cursor !== null);
      this.#donors = donors;
      this.#source.changed();
    } catch {
      // As if the session could not read them.
    }
  }

  /** Roles are written out, as in `internal/table.ts`. */
  #renderTable(look: Look) {
    const labels = [texts.kind, tableTexts.date, tableTexts.amount, texts.fee, texts.net];
    if (this.#donors) labels.splice(1, 0, tableTexts.donor);
    const firstSum = labels.length - 3;
    return html`<table role="table" part="parts">
      <caption>
        ${texts.parts}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          ${labels.map(
            (label, index) =>
              html`<th role="columnheader" scope="col" class=${index >= firstSum ? 'number' : ''}>
                ${label}
              </th>`,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${this.#parts.map((part) => this.#renderPart(part, labels, look))}
      </tbody>
      ${this.#cursor ? nothing : this.#renderSum(labels, look)}
    </table>`;
  }

  /** Once all parts are there; money of one payout is of one currency. */
  #renderSum(labels: string[], { language }: Look) {
    const { currency } = this.#parts[0]!;
    const sums = (['amount_cents', 'fee_cents', 'net_amount_cents'] as const).map((name) =>
      this.#parts.reduce((sum, part) => sum + part[name], 0),
    );
    return html`<tbody role="rowgroup" class="sum">
      <tr role="row">
        <th role="rowheader" scope="row" colspan=${labels.length - 3}>${texts.sum}</th>
        ${sums.map(
          (cents, index) =>
            html`<td role="cell" class="number" data-label=${labels.at(index - 3)!}>
              ${renderMoney(cents, currency, language)}
            </td>`,
        )}
      </tr>
    </tbody>`;
  }

  #renderPart(part: PayoutDonation, labels: string[], { language, timeZone }: Look) {
    const { type, donation_id, created_at, currency } = part;
    const name = { gift: texts.donation, refund: texts.refund, dispute: texts.dispute }[type];
    const link = donation_id === null ? undefined : this.#source.linkTo(donation_id);
    const sums = [part.amount_cents, part.fee_cents, part.net_amount_cents];
    return html`<tr role="row">
      <th role="rowheader" scope="row" data-label=${labels[0]!}>
        ${link ? html`<a href=${link}>${name}</a>` : name}
      </th>
      ${
        this.#donors
          ? html`<td role="cell" data-label=${tableTexts.donor}>
              ${donation_id === null ? tableTexts.unknown : renderName(this.#donors.get(donation_id) ?? null)}
            </td>`
          : nothing
      }
      <td role="cell" data-label=${tableTexts.date}>
        ${renderDate(created_at, language, timeZone)}
      </td>
      ${sums.map(
        (cents, index) =>
          html`<td role="cell" class="number" data-label=${labels.at(index - 3)!}>
            ${renderMoney(cents, currency, language)}
          </td>`,
      )}
    </tr>`;
  }

  #renderMore() {
    return html`<p class="more">
      <button
        class="quiet"
        part="more"
        aria-disabled=${this.#reading ? 'true' : nothing}
        @click=${this.#more}
      >
        ${this.#reading ? tableTexts.loadingMore : tableTexts.more}
      </button>
    </p>`;
  }
}
