import { html, nothing, svg } from 'lit';
import { formatMoney } from '@connect-embed/contract/format-money';
import { gridLines, namedSteps } from './chart-scale.ts';
import { describeSums, formatCompactMoney, type Bar, type ChartSeries } from './chart-data.ts';
import { pluralMessage, UNKNOWN } from './format.ts';
import type { DisplayOptions } from './column.ts';

/** Width of a bar as a share of its period's slot, and its maximum as a percentage of the chart's width. */
const BAR_WIDTH_RATIO = 0.72;
const MAX_BAR_PERCENT = 9;

/** Input of `renderBars`. */
interface ChartOptions {
  title: string;
  display: DisplayOptions;
  direction: string;
  /** Index of the bar whose figures are shown above the chart. */
  activeIndex: number | undefined;
  /** Whether the figures of all bars are shown while none is active. */
  showsTotal: boolean;
  /** Index of the bar that the Tab key focuses (roving tabindex). */
  tabStopIndex: number;
}

/**
 * Renders the bar chart of one currency with grid lines and axis labels. All positions are percentages,
 * so the chart scales to its container.
 */
export function renderBars({ currency, bars, total }: ChartSeries, options: ChartOptions) {
  const { display, activeIndex, title } = options;
  const { language, messages } = display;
  const lines = gridLines(Math.max(...bars.map(({ gross_cents }) => gross_cents)));
  const top = lines.at(-1)!;
  const activeBar = activeIndex === undefined ? undefined : bars[activeIndex];
  const sums = activeBar ?? (options.showsTotal ? total : undefined);
  const span = `${bars[0]!.name} – ${bars.at(-1)!.name}`;
  return html`<figure>
    <figcaption>
      <span class="title">${title}</span>
      ${total.refunded_cents ? html`<span class="legend">${messages.refunded}</span>` : nothing}
    </figcaption>
    <p class="summary" aria-hidden="true">
      <strong>${activeBar?.name ?? (bars.length > 1 ? span : bars[0]!.name)}</strong>
      ${sums && describeSums(sums, display).map((text) => html`<bdi>${text}</bdi>`)}
    </p>
    <div class="plot">
      <div class="scale" aria-hidden="true">
        ${lines.map((line) => html`<span>${formatCompactMoney(line, currency, language)}</span>`)}
      </div>
      <svg
        class=${`bars ${options.direction}`}
        role="group"
        aria-label=${`${title}, ${span}: ${describeSums(total, display).join(' · ')}`}
        width="100%"
        height="100%"
      >
        ${lines.map((line) => renderLine(100 - (100 * line) / top))}
        ${bars.map((bar, index) => renderBar(bar, index, bars.length, top, options))}
      </svg>
      <div class="labels" aria-hidden="true">
        ${namedSteps(bars.length).map((step) => renderName(bars[step]!.shortName, step, bars.length))}
      </div>
    </div>
  </figure>`;
}

const renderLine = (y: number) =>
  svg`<line class="line" aria-hidden="true" x2="100%" y1=${`${y}%`} y2=${`${y}%`}></line>`;

function renderBar(bar: Bar, index: number, count: number, top: number, options: ChartOptions) {
  const { gross_cents, refunded_cents } = bar;
  const slotPercent = 100 / count;
  const width = (100 * Math.min(slotPercent * BAR_WIDTH_RATIO, MAX_BAR_PERCENT)) / slotPercent;
  const height = (100 * gross_cents) / top;
  const refundedPercent = (100 * refunded_cents) / top;
  const x = `${(100 - width) / 2}%`;
  return svg`<svg
    class=${index === options.activeIndex ? 'bar active' : 'bar'}
    role="img"
    aria-label=${`${bar.name}: ${describeSums(bar, options.display).join(' · ')}`}
    tabindex=${index === options.tabStopIndex ? 0 : -1}
    x=${`${index * slotPercent}%`}
    width=${`${slotPercent}%`}
    height="100%"
    overflow="visible"
  >
    <rect class="hit-area" width="100%" height="100%" />
    <rect
      class="gross"
      x=${x}
      width=${`${width}%`}
      y=${`${100 - height}%`}
      height=${`${height}%`}
    />
    ${
      refundedPercent
        ? svg`<rect
            class="refunded"
            aria-hidden="true"
            x=${x}
            width=${`${width}%`}
            y=${`${100 - height}%`}
            height=${`${refundedPercent}%`}
          ></rect>`
        : nothing
    }
  </svg>`;
}

/** Renders an axis label in a box of zero width, which centers the text below its bar. */
const renderName = (name: string, step: number, count: number) =>
  // Set as a property: a strict Content-Security-Policy of the host page blocks style attributes.
  html`<span .style=${`inset-inline-start: ${(100 * (step + 0.5)) / count}%`}
    ><b>${name}</b></span
  >`;

/** Renders the chart's figures as tables, for screen readers and for exact values. */
export const renderDataTable = (
  charts: readonly ChartSeries[],
  title: string,
  display: DisplayOptions,
) =>
  html`<details>
    <summary>${display.messages.asTable}</summary>
    ${charts.map((chart) => renderTable(chart, title, display))}
  </details>`;

/**
 * The roles are explicit, because browsers drop the semantics of a table whose CSS `display` is changed
 * (the card layout).
 */
const renderTable = ({ currency, bars }: ChartSeries, title: string, display: DisplayOptions) => {
  const { language, messages } = display;
  const money = (cents: number | null) =>
    cents === null ? UNKNOWN : formatMoney(cents, currency, language);
  const labels = [messages.donations, messages.gross, messages.net, messages.refunded];
  return html`<table role="table">
    <caption>
      ${title}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${[messages.period, ...labels].map(
          (label) => html`<th role="columnheader" scope="col">${label}</th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${bars.map(({ name, count, gross_cents, net_cents, refunded_cents }) => {
        const cells = [
          pluralMessage('totals', count, display),
          ...[gross_cents, net_cents, refunded_cents].map(money),
        ];
        return html`<tr role="row">
          <th role="rowheader" scope="row">${name}</th>
          ${cells.map((cell, index) => html`<td role="cell" data-label=${labels[index]!}>${cell}</td>`)}
        </tr>`;
      })}
    </tbody>
  </table>`;
};
