import type { DonationSeries } from '@connect-embed/contract';
import { html, render } from 'lit';
import { barsOf, type Bars } from './chart-steps.ts';
import { chartStyles } from './chart.styles.ts';
import { renderBars, renderFigures } from './chart-view.ts';
import type { Resource, TableElement } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';

const TITLES = { day: 'byDay', week: 'byWeek', month: 'byMonth', year: 'byYear' } as const;

/** The bar of one of the charts. */
interface Place {
  chart: number;
  bar: number;
}

/**
 * Gifts over time, as bars, for what the filters leave: docs/decisions/0060-gifts-over-time.md
 *
 * It stands in a shadow root of its own: what is looked for and styled in the table's is the table's.
 */
export class Chart<Row extends Resource> {
  /** What the table puts above its rows. */
  readonly node = document.createElement('div');
  readonly #table: TableElement<Row>;
  readonly #root = this.node.attachShadow({ mode: 'open' });
  #series: DonationSeries | undefined;
  #failed = false;
  #of: AbortSignal | undefined;
  /** Where the Tab key comes to, and what the pointer or the keyboard is at. */
  #stop: Place | undefined;
  #at: Place | undefined;
  #drawnFor: unknown[] = [];

  constructor(table: TableElement<Row>) {
    this.#table = table;
    this.node.className = 'chart';
    this.node.part.add('chart');
    this.#root.adoptedStyleSheets = [chartStyles.styleSheet!];
    this.#root.addEventListener('keydown', (event) => this.#walk(event as KeyboardEvent));
    this.#root.addEventListener('focusin', (event) => this.#look(event));
    this.#root.addEventListener('focusout', () => this.#leave());
    this.#root.addEventListener('pointermove', (event) => this.#look(event));
    this.node.addEventListener('pointerleave', () => this.#leave());
  }

  /** After every drawing of the table: read once each time it begins anew, and when rows are new. */
  follow(added: boolean) {
    const { pages } = this.#table;
    const { signal } = pages.abort;
    if (pages.status === 'ready' && (signal !== this.#of || added)) void this.#read(signal);
    this.#draw();
  }

  async #read(signal: AbortSignal) {
    this.#of = signal;
    const { pages, look } = this.#table;
    const { timeZone } = look;
    const query = new URLSearchParams({ ...pages.query, ...(timeZone && { time_zone: timeZone }) });
    try {
      this.#series = await pages.ask<DonationSeries>(`/series?${query}`, signal);
      this.#failed = false;
    } catch {
      if (signal.aborted) return;
      this.#failed = !this.#series; // A picture that stands is better than none.
    }
    this.#draw();
  }

  #draw() {
    const { late, look, pages } = this.#table;
    late?.speak(); // Another table's words may be in place.
    const said = [look.language, this.#direction, texts.byDay];
    const key = [this.#series, this.#failed, this.#at, this.#stop, ...said];
    if (key.every((part, index) => part === this.#drawnFor[index])) return;
    this.#drawnFor = key;
    const again = () => void this.#read(pages.abort.signal);
    if (this.#failed) return void render(renderFailure(again), this.#root);
    render(this.#series ? this.#renderSeries(this.#series) : renderWait(), this.#root);
  }

  #renderSeries(series: DonationSeries) {
    const { look, caption, late } = this.#table;
    const { language } = look;
    const title = texts[TITLES[series.interval]];
    const charts = barsOf(series, language);
    if (!charts.length) {
      return html`<p class="nothing">${late?.narrowed ? texts.nothing : texts.empty(caption)}</p>`;
    }
    const named = (chart: Bars) => (charts.length > 1 ? `${title} (${nameOf(chart)})` : title);
    return html`${charts.map((chart, index) =>
      renderBars(chart, {
        title: named(chart),
        language,
        direction: this.#direction,
        at: this.#at?.chart === index ? this.#at.bar : undefined,
        stop: this.#stopOf(index, chart),
      }),
    )}
    ${renderFigures(charts, title, language)}`;
  }

  get #direction() {
    return getComputedStyle(this.node).direction;
  }

  /** The newest, until somebody has been at another. */
  #stopOf(chart: number, { steps }: Bars): number {
    const bar = this.#stop?.chart === chart ? this.#stop.bar : Infinity;
    return Math.min(bar, steps.length - 1);
  }

  /** What the pointer is over or the focus on is told in words. */
  #look(event: Event) {
    const place = this.#placeOf(event.target);
    if (!place) return event.type === 'focusin' ? undefined : this.#leave();
    if (place.chart === this.#at?.chart && place.bar === this.#at.bar) return;
    this.#at = place;
    this.#draw();
  }

  #leave() {
    const { activeElement } = this.#root;
    const place = this.#placeOf(activeElement);
    if (place?.bar === this.#at?.bar && place?.chart === this.#at?.chart) return;
    this.#at = place;
    this.#draw();
  }

  /** Arrows go from bar to bar, as they lie; Home and End to the ends. */
  #walk(event: KeyboardEvent) {
    const from = this.#placeOf(event.target);
    if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
    const bars = this.#barsOf(from.chart);
    const forward = this.#direction === 'rtl' ? -1 : 1;
    const by = { ArrowRight: forward, ArrowLeft: -forward, Home: -Infinity, End: Infinity };
    const step = by[event.key as keyof typeof by];
    if (!step) return;
    event.preventDefault();
    const bar = Math.max(0, Math.min(bars.length - 1, from.bar + step));
    this.#stop = this.#at = { chart: from.chart, bar };
    this.#draw();
    bars[bar]!.focus();
  }

  #barsOf(chart: number) {
    const drawn = this.#root.querySelectorAll('.bars')[chart];
    return [...(drawn?.querySelectorAll<SVGElement>('.bar') ?? [])];
  }

  #placeOf(target: EventTarget | null): Place | undefined {
    const bar = (target as Element | null)?.closest?.<SVGElement>('.bar');
    if (!bar) return undefined;
    const chart = [...this.#root.querySelectorAll('.bars')].indexOf(bar.parentElement!);
    return { chart, bar: this.#barsOf(chart).indexOf(bar) };
  }
}

const nameOf = ({ currency }: Bars) => currency.toUpperCase();

const renderWait = () => html`<div class="wait" aria-hidden="true"></div>`;

const renderFailure = (again: () => void) =>
  html`<div class="nothing" role="alert">
    <p>${texts.failed}</p>
    <button class="quiet" @click=${again}>${texts.retry}</button>
  </div>`;
