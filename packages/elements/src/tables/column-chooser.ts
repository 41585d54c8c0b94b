import { html, nothing } from 'lit';
import { interpolate } from '@connect-embed/contract/interpolate';
import { ConnectColumnsChangeEvent, type ColumnChoice } from '../row-events.ts';
import { unmaskedColumns, type Column, type Resource } from './column.ts';
import { namePlaceholders } from './format.ts';
import type { TableElement } from './table-element.ts';

/** The smallest width of a column, in pixels. */
const MIN_WIDTH_PX = 64;
/** By how much an arrow key changes the width of a column, in pixels. */
const STEP_PX = 16;

/**
 * The tool `columns`: the viewer chooses which columns are shown, and how wide they are. The page stores the
 * choice if it should last: docs/tables.md
 */
export class ColumnChooser<Row extends Resource> {
  readonly #table: TableElement<Row>;

  constructor(table: TableElement<Row>) {
    this.#table = table;
  }

  /** Renders the choice of all columns that the session may see. */
  renderChoices() {
    const { display, shownColumns, allColumns, pages } = this.#table;
    const shown = shownColumns.map(({ id }) => id);
    return html`${unmaskedColumns(pages, allColumns).map(
        ({ id, label }) =>
          html`<label>
            <input
              type="checkbox"
              .checked=${shown.includes(id)}
              ?disabled=${shown.length === 1 && shown.includes(id)}
              @change=${() => this.#choose({ columns: toggled(shown, id) })}
            />
            ${label}
          </label>`,
      )}
      <button
        class="secondary"
        @click=${() => this.#choose({ columns: undefined, widths: undefined })}
      >
        ${display.messages.resetColumns}
      </button>`;
  }

  /** Renders the handle at the end of a heading, which is dragged, or moved with the arrow keys. */
  renderHandle({ id, label }: Column<Row>) {
    if (this.#table.isNarrow) return nothing;
    const { columnWidth } = this.#table.display.messages;
    return html`<span
      class="handle"
      role="separator"
      tabindex="0"
      aria-orientation="vertical"
      aria-label=${interpolate(columnWidth, namePlaceholders('column', label))}
      aria-valuenow=${this.#table.columnChoice?.widths?.[id] ?? MIN_WIDTH_PX}
      @focus=${nameWidth}
      @pointerdown=${(event: PointerEvent) => this.#drag(id, event)}
      @keydown=${(event: KeyboardEvent) => this.#pressKey(id, event)}
    ></span>`;
  }

  #drag(id: string, down: PointerEvent) {
    const handle = down.currentTarget as HTMLElement;
    const width = widthOf(handle);
    const direction = directionOf(handle);
    handle.setPointerCapture(down.pointerId);
    handle.onpointermove = ({ clientX }) =>
      this.#resize(id, width + direction * (clientX - down.clientX));
    handle.onlostpointercapture = () => (handle.onpointermove = null);
  }

  #pressKey(id: string, event: KeyboardEvent) {
    const arrows: Record<string, number> = { ArrowLeft: -STEP_PX, ArrowRight: STEP_PX };
    const step = arrows[event.key];
    if (!step) return;
    event.preventDefault();
    const handle = event.currentTarget as HTMLElement;
    this.#resize(id, widthOf(handle) + directionOf(handle) * step);
  }

  #resize(id: string, width: number) {
    const rounded = Math.max(MIN_WIDTH_PX, Math.round(width));
    this.#choose({ widths: { ...this.#table.columnChoice?.widths, [id]: rounded } });
  }

  #choose(change: ColumnChoice) {
    const choice = { ...this.#table.columnChoice, ...change };
    this.#table.columnChoice = choice;
    this.#table.dispatchEvent(new ConnectColumnsChangeEvent(choice));
  }
}

const toggled = (shown: readonly string[], id: string) =>
  shown.includes(id) ? shown.filter((other) => other !== id) : [...shown, id];

/** The width of a column that was never resized depends on the others, so it is measured when it is read out. */
const nameWidth = ({ currentTarget }: Event) => {
  const handle = currentTarget as HTMLElement;
  handle.ariaValueNow = `${Math.round(widthOf(handle))}`;
};

const widthOf = (handle: HTMLElement) => handle.parentElement!.getBoundingClientRect().width;

/** 1 if a column grows to the right, -1 in text from right to left. */
const directionOf = (handle: HTMLElement) =>
  getComputedStyle(handle).direction === 'rtl' ? -1 : 1;
