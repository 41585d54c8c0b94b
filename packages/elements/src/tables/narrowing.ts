import { html, nothing } from 'lit';
import { ConnectFilterChangeEvent } from '../row-events.ts';
import type { Resource, TableElement } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';

type Filters = Readonly<Record<string, string>>;

/** Search in what is loaded, and filters that the API applies. */
export class Narrowing<Row extends Resource> {
  /** What is searched for, as it is compared. */
  sought = '';
  readonly #table: TableElement<Row>;
  readonly #funds = new Map<string, string>();
  /** Whether a zone is known, or nobody tells one. */
  #inZone = false;

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  get active() {
    return this.sought !== '' || this.#changed;
  }

  /** The rows in which every word that is sought for stands in some column. */
  matching(rows: Row[]): Row[] {
    if (!this.sought) return rows;
    const late = this.#table.late!;
    const columns = late.everyColumn;
    const words = this.sought.split(/\s+/);
    return rows.filter((row) => {
      const text = plain(columns.map(({ id }) => late.valueOf(id, row)).join(' '));
      return words.every((word) => text.includes(word));
    });
  }

  forget() {
    this.#funds.clear();
  }

  renderSearch() {
    return html`<label>
      ${texts.search}
      <input type="search" autocomplete="off" @input=${this.#search} />
    </label>`;
  }

  renderFilters() {
    const { component, query = {}, rows, status } = this.#table.pages;
    this.#inZone ||= !!this.#table.look.timeZone || status === 'ready';
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
    this.#table.pages.query = filters;
    this.#table.dispatchEvent(new ConnectFilterChangeEvent(filters));
    void this.#table.refresh();
  }

  readonly #search = (event: Event) => {
    this.sought = plain((event.target as HTMLInputElement).value).trim();
    this.#table.requestUpdate();
  };
}

const sorted = (filters: Filters) => Object.entries(filters).sort();

/** `É` is found by `e`. */
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();

/** The moment at which a day begins in a zone. */
export function midnight(day: string, shift: number, timeZone?: string): string {
  const asUtc = Date.parse(`${day}T00:00:00Z`) + shift * 86_400_000;
  // Twice, for the first guess may stand on the other side of a change of the clock.
  let at = asUtc;
  for (let turn = 0; turn < 2; turn += 1) at = asUtc - offsetMs(at, timeZone);
  return new Date(at).toISOString();
}

const dayOf = (moment: string, shift: number, timeZone?: string) => {
  const at = Date.parse(moment);
  return new Date(at + offsetMs(at, timeZone) + shift * 86_400_000).toISOString().slice(0, 10);
};

function offsetMs(at: number, timeZone?: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find((one) => one.type === type)!.value);
  const told = Date.UTC(
    ...([part('year'), part('month') - 1, part('day')] as const),
    ...([part('hour'), part('minute'), part('second')] as const),
  );
  return told - Math.floor(at / 1000) * 1000;
}
