import type { List } from '@connect-embed/contract';
import { instantFromLocal, zoneOffsetMs } from '@connect-embed/contract/zoned-time';
import { html, nothing } from 'lit';
import { ConnectFilterChangeEvent } from '../row-events.ts';
import type { Resource, TableElement } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';

type Filters = Readonly<Record<string, string>>;

/** A viewer types on: the API is asked when they pause. */
const PAUSE_MS = 300;
/** Longest text that the API searches for. */
const LONGEST_SEARCH = 100;

/** Search and filters: the API applies both, to everything that there is. */
export class Narrowing<Row extends Resource> {
  /** How many rows the search has found, once that is known. */
  found: number | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #counted: AbortSignal | undefined;
  #fundsOf: unknown;
  /** What stands in the field, also before the API is asked. */
  #typed: string | undefined;
  readonly #table: TableElement<Row>;
  readonly #funds = new Map<string, string>();
  /** Whether a zone is known, or nobody tells one. */
  #inZone = false;

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  get active() {
    return this.#changed;
  }

  /** What is searched for. */
  get sought(): string {
    return this.#table.pages.query?.['q'] ?? '';
  }

  forget() {
    this.#funds.clear();
    this.#fundsOf = undefined;
  }

  /** After every drawing: counts what a search has found, whatever is loaded of it. */
  follow() {
    const { pages } = this.#table;
    const { signal } = pages.abort;
    if (pages.status !== 'ready' || signal === this.#counted) return;
    this.#counted = signal;
    this.found = undefined;
    if (!this.sought) return;
    if (!pages.hasMore) return this.#take(pages.rows.length);
    pages
      .ask<{ count?: number; data?: { count: number }[] }>(
        `/summary?${new URLSearchParams(pages.query)}`,
        signal,
      )
      .then(({ count, data = [] }) =>
        this.#take(count ?? data.reduce((sum, { count: more }) => sum + more, 0)),
      )
      .catch(() => {}); // The rows tell of whatever is wrong.
  }

  #take(count: number) {
    this.found = count;
    this.#table.requestUpdate();
  }

  /** Ends a search that is being typed. */
  rest() {
    clearTimeout(this.#typing);
  }

  /** All funds that donations were made to, read with the first drawing of their filter. */
  async #readFunds() {
    const { pages } = this.#table;
    if (pages.status !== 'ready' || this.#fundsOf === pages.session) return;
    this.#fundsOf = pages.session;
    const { signal } = pages.abort;
    try {
      let cursor: string | null = null;
      do {
        const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) });
        const page: List<{ id: string; name: string }> = await pages.ask(`/funds?${query}`, signal);
        for (const { id, name } of page.data) this.#funds.set(id, name);
        cursor = page.next_cursor;
      } while (cursor);
      this.#table.requestUpdate();
    } catch {
      // Those of the rows that are loaded, until the session changes.
    }
  }

  renderSearch() {
    return html`<label>
      ${texts.search}
      <input
        type="search"
        autocomplete="off"
        maxlength=${LONGEST_SEARCH}
        .value=${this.#typed ?? this.sought}
        @input=${this.#search}
      />
    </label>`;
  }

  renderFilters() {
    const { component, query = {}, rows, status } = this.#table.pages;
    this.#inZone ||= !!this.#table.look.timeZone || status === 'ready';
    if (component === 'donations') void this.#readFunds();
    for (const row of rows as unknown as { fund_id?: string | null; fund_name?: string | null }[]) {
      if (row.fund_id) this.#funds.set(row.fund_id, row.fund_name ?? row.fund_id);
    }
    return html`${this.#day('created_from', texts.from)} ${this.#day('created_to', texts.to)}
    ${component === 'donations' ? this.#choices(query) : nothing}
    ${
      this.#changed
        ? html`<button class="quiet" @click=${() => this.#apply(this.#table.defaultFilters)}>
            ${texts.clear}
          </button>`
        : nothing
    }`;
  }

  #choices(query: Filters) {
    const state = Object.keys(texts.states).find((pair) => {
      const [name, value] = pair.split('=') as [string, string];
      return query[name] === value;
    });
    return html`${this.#select(texts.fund, query['fund_id'] ?? '', [...this.#funds], (fund_id) => ({ fund_id }))}
    ${this.#select(
      texts.kind,
      query['recurring'] ?? '',
      [
        ['false', texts.oneTime],
        ['true', texts.recurring],
      ],
      (recurring) => ({ recurring }),
    )}
    ${this.#select(texts.state, state ?? '', Object.entries(texts.states), (pair) => {
      const [name = '', value = ''] = pair.split('=');
      return { refund_status: '', dispute_status: '', ...(name && { [name]: value }) };
    })}`;
  }

  #select(
    label: string,
    chosen: string,
    choices: readonly (readonly [string, string])[],
    change: (value: string) => Filters,
  ) {
    return html`<label>
      ${label}
      <select
        .value=${chosen}
        @change=${(event: Event) => this.#set(change((event.target as HTMLSelectElement).value))}
      >
        <option value="">${texts.any}</option>
        ${choices.map(
          ([value, text]) =>
            html`<option value=${value} ?selected=${value === chosen}>${text}</option>`,
        )}
      </select>
    </label>`;
  }

  /**
   * A day counts whole, from midnight to midnight where the table's dates are told; which zone that
   * is comes with the first rows, and no day is taken before.
   */
  #day(name: 'created_from' | 'created_to', label: string) {
    const shift = name === 'created_to' ? 1 : 0;
    const { timeZone } = this.#table.look;
    const chosen = this.#table.pages.query?.[name];
    return html`<label>
      ${label}
      <input
        type="date"
        ?disabled=${!this.#inZone}
        .value=${chosen ? dayOf(chosen, -shift, timeZone) : ''}
        @change=${(event: Event) => {
          const { value } = event.target as HTMLInputElement;
          this.#set({ [name]: value && midnight(value, shift, timeZone) });
        }}
      />
    </label>`;
  }

  get #changed() {
    const { defaultFilters, pages } = this.#table;
    return JSON.stringify(sorted(defaultFilters)) !== JSON.stringify(sorted(pages.query ?? {}));
  }

  #set(change: Filters) {
    const filters = { ...this.#table.pages.query, ...change };
    this.#apply(Object.fromEntries(Object.entries(filters).filter(([, value]) => value)));
  }

  #apply(filters: Filters) {
    if (!filters['q']) this.#typed = undefined;
    this.#table.pages.query = filters;
    this.#table.dispatchEvent(new ConnectFilterChangeEvent(filters));
    void this.#table.refresh();
  }

  readonly #search = (event: Event) => {
    this.#typed = (event.target as HTMLInputElement).value;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => {
      const q = (this.#typed ?? '').replace(/\p{Cc}/gu, ' ').trim();
      if (q !== this.sought) this.#set({ q });
    }, PAUSE_MS);
  };
}

const DAY_MS = 86_400_000;

const sorted = (filters: Filters) => Object.entries(filters).sort();

/** The first moment of a day in a zone. */
export const midnight = (day: string, shift: number, timeZone?: string): string =>
  new Date(
    instantFromLocal(Date.parse(`${day}T00:00:00Z`) + shift * DAY_MS, timeZone),
  ).toISOString();

const dayOf = (moment: string, shift: number, timeZone?: string) => {
  const at = Date.parse(moment);
  return new Date(at + zoneOffsetMs(at, timeZone) + shift * DAY_MS).toISOString().slice(0, 10);
};
