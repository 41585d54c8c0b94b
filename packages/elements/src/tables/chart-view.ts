import { formatMoney } from '@connect-embed/contract/format-money';
import { html, nothing } from 'lit';
import { linesFor, namedSteps } from './chart-scale.ts';
import { sayingsOf, shortMoney, type Bar, type Bars } from './chart-steps.ts';
import { formatCount } from './count.ts';
import { tableTexts } from '../internal/messages/tables.ts';
import { lateTexts as texts } from './texts.ts';

/** Share of a step's room that its bar takes, and the most of the chart's that any takes. */
const BAR_SHARE = 0.72;
const WIDEST_PERCENT = 9;

/** What a chart is asked to show. */
export interface ChartLook {
  title: string;
  language: string;
  direction: string;
  /** The bar that is read out; none when undefined. */
  at: number | undefined;
  /** The one bar that the Tab key comes to. */
  stop: number;
}

/** One currency's bars, with lines behind and names below, placed in percent of whatever room there is. */
export function renderBars({ currency, steps, total }: Bars, look: ChartLook) {
  const { language, at, title } = look;
  const lines = linesFor(Math.max(...steps.map(({ gross_cents }) => gross_cents)));
  const top = lines.at(-1)!;
  const read = at === undefined ? undefined : steps[at];
  const span = `${steps[0]!.name} – ${steps.at(-1)!.name}`;
  return html`<figure>
    <figcaption>
      <span class="title">${title}</span>
      ${total.refunded_cents ? html`<span class="key">${texts.refunded}</span>` : nothing}
    </figcaption>
    <p class="said" aria-hidden="true">
      <strong>${read?.name ?? (steps.length > 1 ? span : steps[0]!.name)}</strong>
      ${sayingsOf(read ?? total, language).map((saying) => html`<bdi>${saying}</bdi>`)}
    </p>
    <div class="plot">
      <div class="scale" aria-hidden="true">
        ${lines.map((line) => html`<span>${shortMoney(line, currency, language)}</span>`)}
      </div>
      <svg
        class="bars ${look.direction}"
        role="group"
        aria-label="${title}, ${span}: ${sayingsOf(total, language).join(' · ')}"
        width="100%"
        height="100%"
      >
        ${lines.map((line) => renderLine(100 - (100 * line) / top))}
        ${steps.map((bar, index) => renderBar(bar, index, steps.length, top, look))}
      </svg>
      <div class="names" aria-hidden="true">
        ${namedSteps(steps.length).map((step) => renderName(steps[step]!.short, step, steps.length))}
      </div>
    </div>
  </figure>`;
}

// An <svg> in an <svg>: a template of Lit's that begins with it is one of SVG by itself.
const renderLine = (y: number) =>
  html`<svg aria-hidden="true" class="line" y=${`${y}%`} overflow="visible">
    <line x2="100%" />
  </svg>`;

function renderBar(bar: Bar, index: number, count: number, top: number, look: ChartLook) {
  const { gross_cents, refunded_cents } = bar;
  const room = 100 / count;
  const width = (100 * Math.min(room * BAR_SHARE, WIDEST_PERCENT)) / room;
  const height = (100 * gross_cents) / top;
  const back = (100 * refunded_cents) / top;
  const x = `${(100 - width) / 2}%`;
  return html`<svg
    class="bar ${index === look.at ? 'on' : ''}"
    role="img"
    aria-label="${bar.name}: ${sayingsOf(bar, look.language).join(' · ')}"
    tabindex=${index === look.stop ? 0 : -1}
    x=${`${index * room}%`}
    width=${`${room}%`}
    height="100%"
    overflow="visible"
  >
    <rect class="hit" width="100%" height="100%" />
    <rect class="sum" x=${x} width=${`${width}%`} y=${`${100 - height}%`} height=${`${height}%`} />
    ${
      back
        ? html`<svg aria-hidden="true" overflow="visible">
            <rect
              class="back"
              x=${x}
              width=${`${width}%`}
              y=${`${100 - height}%`}
              height=${`${back}%`}
            />
          </svg>`
        : nothing
    }
  </svg>`;
}

/** A box without width, so that a name stands evenly below the middle of its bar. */
const renderName = (name: string, step: number, count: number) =>
  // By its property: a strict policy of the page's would refuse the attribute.
  html`<span .style=${`inset-inline-start: ${(100 * (step + 0.5)) / count}%`}
    ><b>${name}</b></span
  >`;

/** The same figures as a table, for whoever reads rather than looks. */
export const renderFigures = (charts: readonly Bars[], title: string, language: string) =>
  html`<details>
    <summary>${texts.asTable}</summary>
    ${charts.map((chart) => renderTable(chart, title, language))}
  </details>`;

/** Roles are written out: laid out as cards, a browser would drop what the tags mean. */
const renderTable = ({ currency, steps }: Bars, title: string, language: string) => {
  const money = (cents: number | null) =>
    cents === null ? tableTexts.unknown : formatMoney(cents, currency, language);
  const labels = [tableTexts.donations, texts.gross, texts.net, texts.refunded];
  return html`<table role="table">
    <caption>
      ${title}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${[texts.period, ...labels].map(
          (label) => html`<th role="columnheader" scope="col">${label}</th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${steps.map(({ name, count, gross_cents, net_cents, refunded_cents }) => {
        const cells = [
          texts.totals(formatCount(count, language)),
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
