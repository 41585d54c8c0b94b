import { html, render } from 'lit';
import type { DonationSeries } from '@connect-embed/contract';
import { interpolate } from '@connect-embed/contract/interpolate';
import { toChartSeries, type ChartSeries } from './chart-data.ts';
import { chartStyles } from './chart.styles.ts';
import { renderBars, renderDataTable } from './chart-view.ts';
import type { TableElement } from './table-element.ts';
import type { Resource } from './column.ts';
import type { TablesMessages } from '../shared/message-types.ts';
import { namePlaceholders } from './format.ts';
import type { RowLoader } from './row-loader.ts';

const TITLE_KEYS = { day: 'byDay', week: 'byWeek', month: 'byMonth', year: 'byYear' } as const;

/** Identifies a bar by the index of its chart and its index in that chart. */
interface BarPosition {
  chart: number;
  bar: number;
}

/**
 * The chart tool of `<connect-donations>`: bars of donations over time that match the current filters
 * (docs/decisions/0044-tables.md).
 *
 * It has its own shadow root, so that the table's styles and selectors do not apply to it.
 */
export class Chart<Row extends Resource> {
  /** The element that the table renders above its rows. */
  readonly node = document.createElement('div');
  readonly #table: TableElement<Row>;
  readonly #loader: RowLoader<Row>;
  readonly #root = this.node.attachShadow({ mode: 'open' });
  #series: DonationSeries | undefined;
  #failed = false;
  /** The revision of the rows that the series was loaded for. */
  #loadedRevision = 0;
  /**
   * `#tabStop` is the bar that the Tab key focuses; `#active` is the bar under the pointer or with
   * focus.
   */
  #tabStop: BarPosition | undefined;
  #active: BarPosition | undefined;

  constructor(table: TableElement<Row>, loader: RowLoader<Row>) {
    this.#table = table;
    this.#loader = loader;
    this.node.className = 'chart';
    this.node.part.add('chart');
    this.#root.adoptedStyleSheets = [chartStyles.styleSheet!];
    this.#root.addEventListener('keydown', (event) => this.#handleKey(event as KeyboardEvent));
    this.#root.addEventListener('focusin', (event) => this.#handlePointer(event));
    this.#root.addEventListener('focusout', () => this.#handleLeave());
    this.#root.addEventListener('pointermove', (event) => this.#handlePointer(event));
    this.node.addEventListener('pointerleave', () => this.#handleLeave());
  }

  /**
   * Called after every render of the table. Loads the series whenever the table loads a new first page
   * or its rows have changed.
   */
  update() {
    const { pages } = this.#table;
    const isLoaded = this.#loader.revision === this.#loadedRevision;
    if (pages.status === 'ready' && !isLoaded) void this.#load();
    this.#render();
  }

  async #load() {
    this.#loadedRevision = this.#loader.revision;
    const { pages, display } = this.#table;
    const { signal } = pages.abort;
    const { timeZone } = display;
    const query = new URLSearchParams({ ...pages.query, ...(timeZone && { time_zone: timeZone }) });
    try {
      this.#series = await pages.readPath<DonationSeries>(`/series?${query}`, signal);
      this.#failed = false;
    } catch {
      if (signal.aborted) return;
      this.#failed = !this.#series; // If a refresh fails, the previous chart stays visible.
    }
    this.#render();
  }

  #render() {
    render(this.#renderContent(), this.#root);
  }

  #renderContent() {
    if (this.#failed) {
      return renderError(this.#table.display.messages, () => void this.#load());
    }
    return this.#series
      ? this.#renderSeries(this.#series)
      : html`<div class="skeleton" aria-hidden="true"></div>`;
  }

  #renderSeries(series: DonationSeries) {
    const { display, caption, features } = this.#table;
    const { messages } = display;
    const title = messages[TITLE_KEYS[series.interval]];
    const charts = toChartSeries(series, display);
    if (!charts.length) {
      return html`<p class="empty">
        ${features?.isFiltered ? messages.nothing : interpolate(messages.empty, namePlaceholders('what', caption))}
      </p>`;
    }
    const titleFor = (chart: ChartSeries) =>
      charts.length > 1 ? `${title} (${currencyCode(chart)})` : title;
    return html`${charts.map((chart, index) =>
      renderBars(chart, {
        title: titleFor(chart),
        display,
        direction: this.#direction,
        activeIndex: this.#active?.chart === index ? this.#active.bar : undefined,
        showsTotal: !features?.hasTool('totals'),
        tabStopIndex: this.#tabStopOf(index, chart),
      }),
    )}
    ${renderDataTable(charts, title, display)}`;
  }

  get #direction() {
    return getComputedStyle(this.node).direction;
  }

  /** Returns the bar that was focused last, or the newest bar. */
  #tabStopOf(chart: number, { bars }: ChartSeries): number {
    const bar = this.#tabStop?.chart === chart ? this.#tabStop.bar : Infinity;
    return Math.min(bar, bars.length - 1);
  }

  /**
   * Makes the bar under the pointer or with focus active. Its figures are shown as text above the
   * chart. They stay while the pointer is on them, so that they can be magnified (WCAG 1.4.13).
   */
  #handlePointer(event: Event) {
    if ((event.target as Element).closest('.summary')) return;
    const position = this.#positionOf(event.target);
    if (!position) return event.type === 'focusin' ? undefined : this.#handleLeave();
    if (position.chart === this.#active?.chart && position.bar === this.#active.bar) return;
    this.#active = position;
    this.#render();
  }

  #handleLeave() {
    const { activeElement } = this.#root;
    const position = this.#positionOf(activeElement);
    if (position?.bar === this.#active?.bar && position?.chart === this.#active?.chart) return;
    this.#active = position;
    this.#render();
  }

  /** Arrow keys move to the adjacent bar in visual order; Home and End move to the first and last bar. */
  #handleKey(event: KeyboardEvent) {
    const from = this.#positionOf(event.target);
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    const bars = this.#barElements(from.chart);
    const forward = this.#direction === 'rtl' ? -1 : 1;
    const by = { ArrowRight: forward, ArrowLeft: -forward, Home: -Infinity, End: Infinity };
    const step = by[event.key as keyof typeof by];
    if (!step) return;
    event.preventDefault();
    const bar = Math.max(0, Math.min(bars.length - 1, from.bar + step));
    this.#tabStop = this.#active = { chart: from.chart, bar };
    this.#render();
    bars[bar]!.focus();
  }

  #barElements(chart: number) {
    const drawn = this.#root.querySelectorAll('.bars')[chart];
    return [...(drawn?.querySelectorAll<SVGElement>('.bar') ?? [])];
  }

  #positionOf(target: EventTarget | null): BarPosition | undefined {
    const bar = (target as Element | null)?.closest?.<SVGElement>('.bar');
    if (!bar) return undefined;
    const chart = [...this.#root.querySelectorAll('.bars')].indexOf(bar.parentElement!);
    return { chart, bar: this.#barElements(chart).indexOf(bar) };
  }
}

const currencyCode = ({ currency }: ChartSeries) => currency.toUpperCase();

const renderError = (messages: TablesMessages, again: () => void) =>
  html`<div class="empty" role="alert">
    <p>${messages.failed}</p>
    <button class="secondary" @click=${again}>${messages.retry}</button>
  </div>`;
