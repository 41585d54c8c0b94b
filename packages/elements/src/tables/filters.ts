import { html, nothing, type ReactiveController } from 'lit';
import { live } from 'lit/directives/live.js';
import type { List } from '@connect-embed/contract';
import { instantFromLocal, zoneOffsetMs } from '@connect-embed/contract/zoned-time';
import { ConnectFilterChangeEvent } from '../row-events.ts';
import type { TableElement } from './table-element.ts';
import type { Resource } from './column.ts';

/** The choices of the status filter, with the keys of their messages. Each finds exactly the donations with that badge. */
const STATUSES: readonly StatusChoice[] = [
  { message: 'partlyRefunded', filters: { refund_status: 'partial', dispute_status: 'none' } },
  { message: 'refund_full', filters: { refund_status: 'full', dispute_status: 'none' } },
  { message: 'dispute_open', filters: { dispute_status: 'open' } },
  { message: 'dispute_won', filters: { dispute_status: 'won' } },
  { message: 'dispute_lost', filters: { dispute_status: 'lost' } },
];

interface StatusChoice {
  message: 'partlyRefunded' | 'refund_full' | `dispute_${'open' | 'won' | 'lost'}`;
  filters: FilterValues;
}

const PAYOUT_STATUSES = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;

type DayFilter = `${'created' | 'donated' | 'arrival'}_${'from' | 'to'}`;
type FilterValues = Readonly<Record<string, string>>;

/** Pause after the last keystroke before the search request is sent. */
const SEARCH_DELAY_MS = 300;
/** Maximum length of a search text in the API. */
const MAX_SEARCH_LENGTH = 100;

/**
 * The search and filter tools of a table. The API applies search and filters to all rows, not only to
 * loaded ones.
 */
export class TableFilters<Row extends Resource> implements ReactiveController {
  /** Number of rows that match the search; undefined until it is known. */
  resultCount: number | undefined;
  #searchTimer: ReturnType<typeof setTimeout> | undefined;
  #countedFor: AbortSignal | undefined;
  #fundsSession: unknown;
  /** The current input of the search field, which may not have been sent yet. */
  #typedSearch: string | undefined;
  readonly #table: TableElement<Row>;
  readonly #funds = new Map<string, string>();
  /** Whether the organization's time zone is known, or the first page has loaded without one. */
  #isZoneKnown = false;

  constructor(table: TableElement<Row>) {
    this.#table = table;
    table.addController(this);
  }

  /** Whether the viewer has changed the search or the filters. */
  get isFiltered() {
    const { defaultFilters, pages } = this.#table;
    return (
      JSON.stringify(sortedEntries(defaultFilters)) !==
      JSON.stringify(sortedEntries(pages.query ?? {}))
    );
  }

  /** Number of filters that are set, without the search. A status may take two filters of the API, and counts once. */
  get filterCount() {
    const { q: _, refund_status, dispute_status, ...others } = this.#table.pages.query ?? {};
    return Object.keys(others).length + (refund_status || dispute_status ? 1 : 0);
  }

  /** The search text of the current query. */
  get searchText(): string {
    return this.#table.pages.query?.['q'] ?? '';
  }

  hostDisconnected() {
    clearTimeout(this.#searchTimer);
  }

  reset() {
    this.#funds.clear();
    this.#fundsSession = undefined;
  }

  /** Loads the number of all rows that match the search. */
  hostUpdated() {
    const { pages } = this.#table;
    const { signal } = pages.abort;
    if (pages.status !== 'ready' || signal === this.#countedFor) return;
    this.#countedFor = signal;
    this.resultCount = undefined;
    if (!this.searchText) return;
    if (!pages.hasMore) return this.#setResultCount(pages.rows.length);
    pages
      .readPath<{ count?: number; data?: { count: number }[] }>(
        `/summary?${new URLSearchParams(pages.query)}`,
        signal,
      )
      .then(({ count, data = [] }) =>
        this.#setResultCount(count ?? data.reduce((sum, { count: more }) => sum + more, 0)),
      )
      .catch(() => {}); // The rows themselves show the error.
  }

  #setResultCount(count: number) {
    this.resultCount = count;
    this.#table.requestUpdate();
  }

  /** Loads all funds that have donations, once per session, when their filter is first rendered. */
  async #loadFunds() {
    const { pages } = this.#table;
    if (pages.status !== 'ready' || this.#fundsSession === pages.session) return;
    this.#fundsSession = pages.session;
    const { signal } = pages.abort;
    try {
      let cursor: string | null = null;
      do {
        const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) });
        const page: List<{ id: string; name: string }> = await pages.readPath(
          `/funds?${query}`,
          signal,
        );
        for (const { id, name } of page.data) this.#funds.set(id, name);
        cursor = page.next_cursor;
      } while (cursor);
      this.#table.requestUpdate();
    } catch {
      // Until the session changes, the filter lists only the funds of loaded rows.
    }
  }

  renderSearch() {
    return html`<label class="search">
      ${this.#table.display.messages.search}
      <input
        type="search"
        autocomplete="off"
        maxlength=${MAX_SEARCH_LENGTH}
        .value=${live(this.#typedSearch ?? this.searchText)}
        @input=${this.#handleSearchInput}
      />
    </label>`;
  }

  /**
   * Renders the button that clears search and filters, once they differ from the default filters. It disappears with
   * that, and leaves the focus to the button before it.
   */
  renderClearButton() {
    if (!this.isFiltered) return nothing;
    return html`<button
      class="secondary"
      @click=${({ currentTarget }: Event) => {
        ((currentTarget as Element).previousElementSibling as HTMLElement).focus();
        this.#applyFilters(this.#table.defaultFilters);
      }}
    >
      ${this.#table.display.messages.clear}
    </button>`;
  }

  renderFields() {
    const { component, query = {}, rows, status } = this.#table.pages;
    this.#isZoneKnown ||= !!this.#table.display.timeZone || status === 'ready';
    if (component === 'donations') void this.#loadFunds();
    for (const row of rows as unknown as { fund_id?: string | null; fund_name?: string | null }[]) {
      if (row.fund_id) this.#funds.set(row.fund_id, row.fund_name ?? row.fund_id);
    }
    switch (component) {
      case 'donations':
        return this.#renderDonationFields(query);
      case 'donors':
        return this.#renderDonorFields(query);
      case 'payouts':
        return this.#renderPayoutFields(query);
    }
  }

  #renderDonationFields(query: FilterValues) {
    const { messages } = this.#table.display;
    const statuses = STATUSES.map(({ message }) => [message, messages[message]] as const);
    return html`${this.#renderDay('created_from', messages.from)}
    ${this.#renderDay('created_to', messages.to)}
    ${this.#renderSelect(messages.fund, query['fund_id'] ?? '', [...this.#funds], (fund_id) => ({ fund_id }))}
    ${this.#renderKind(messages.kind, query)}
    ${this.#renderSelect(messages.status, findStatus(query)?.message ?? '', statuses, (chosen) => ({
      refund_status: '',
      dispute_status: '',
      ...STATUSES.find(({ message }) => message === chosen)?.filters,
    }))}`;
  }

  /** Donors are filtered by their donations, if the session may read these. */
  #renderDonorFields(query: FilterValues) {
    const { since, donations, from, to, kind } = this.#table.display.messages;
    const { components, masks } = this.#table.pages.session ?? {};
    return html`${this.#renderDay('created_from', `${since} · ${from}`)}
    ${this.#renderDay('created_to', `${since} · ${to}`)}
    ${
      components?.includes('donations') && !masks?.includes('names')
        ? html`${this.#renderDay('donated_from', `${donations} · ${from}`)}
          ${this.#renderDay('donated_to', `${donations} · ${to}`)}
          ${this.#renderKind(`${donations} · ${kind}`, query)}`
        : nothing
    }`;
  }

  #renderPayoutFields(query: FilterValues) {
    const { messages } = this.#table.display;
    const { arrival, from, to } = messages;
    const statuses = PAYOUT_STATUSES.map(
      (status) => [status, messages[`payout_${status}`]] as const,
    );
    return html`${this.#renderDay('arrival_from', `${arrival} · ${from}`, 'UTC')}
    ${this.#renderDay('arrival_to', `${arrival} · ${to}`, 'UTC')}
    ${this.#renderSelect(messages.status, query['status'] ?? '', statuses, (status) => ({ status }))}`;
  }

  #renderKind(label: string, { recurring = '' }: FilterValues) {
    const { oneTime, recurring: isRecurring } = this.#table.display.messages;
    const kinds = [
      ['false', oneTime],
      ['true', isRecurring],
    ] as const;
    return this.#renderSelect(label, recurring, kinds, (value) => ({ recurring: value }));
  }

  #renderSelect(
    label: string,
    selected: string,
    choices: readonly (readonly [string, string])[],
    change: (value: string) => FilterValues,
  ) {
    return html`<label>
      ${label}
      <select
        .value=${live(selected)}
        @change=${(event: Event) => this.#changeFilters(change((event.target as HTMLSelectElement).value))}
      >
        <option value="">${this.#table.display.messages.any}</option>
        ${choices.map(
          ([value, text]) =>
            html`<option value=${value} ?selected=${value === selected}>${text}</option>`,
        )}
      </select>
    </label>`;
  }

  /**
   * A date filter includes the whole day in the table's time zone. The time zone arrives with the first
   * page, so the input is disabled until then. Payouts arrive on a day of UTC.
   */
  #renderDay(name: DayFilter, label: string, timeZone = this.#table.display.timeZone) {
    const dayOffset = name.endsWith('_to') ? 1 : 0;
    const selected = this.#table.pages.query?.[name];
    return html`<label>
      ${label}
      <input
        type="date"
        ?disabled=${!this.#isZoneKnown}
        .value=${selected ? toDay(selected, -dayOffset, timeZone) : ''}
        @change=${(event: Event) => {
          const { value } = event.target as HTMLInputElement;
          this.#changeFilters({ [name]: value && startOfDay(value, dayOffset, timeZone) });
        }}
      />
    </label>`;
  }

  #changeFilters(change: FilterValues) {
    const filters = { ...this.#table.pages.query, ...change };
    this.#applyFilters(Object.fromEntries(Object.entries(filters).filter(([, value]) => value)));
  }

  #applyFilters(filters: FilterValues) {
    if (!filters['q']) this.#typedSearch = undefined;
    this.#table.pages.query = filters;
    this.#table.dispatchEvent(new ConnectFilterChangeEvent(filters));
    void this.#table.refresh();
  }

  readonly #handleSearchInput = (event: Event) => {
    this.#typedSearch = (event.target as HTMLInputElement).value;
    clearTimeout(this.#searchTimer);
    this.#searchTimer = setTimeout(() => {
      const q = (this.#typedSearch ?? '').replace(/\p{Cc}/gu, ' ').trim();
      if (q !== this.searchText) this.#changeFilters({ q });
    }, SEARCH_DELAY_MS);
  };
}

/** The chosen status. A filter of the page may name the refund only. */
const findStatus = ({ refund_status, dispute_status }: FilterValues): StatusChoice | undefined =>
  STATUSES.find(({ filters }) =>
    dispute_status && dispute_status !== 'none'
      ? filters['dispute_status'] === dispute_status
      : refund_status && filters['refund_status'] === refund_status,
  );

const DAY_MS = 86_400_000;

const sortedEntries = (filters: FilterValues) => Object.entries(filters).sort();

/**
 * The first moment of a day in a time zone.
 *
 * @param shift number of days to add
 */
const startOfDay = (day: string, shift: number, timeZone?: string): string =>
  new Date(
    instantFromLocal(Date.parse(`${day}T00:00:00Z`) + shift * DAY_MS, timeZone),
  ).toISOString();

const toDay = (timestamp: string, shift: number, timeZone?: string) => {
  const utc = Date.parse(timestamp);
  return new Date(utc + zoneOffsetMs(utc, timeZone) + shift * DAY_MS).toISOString().slice(0, 10);
};
