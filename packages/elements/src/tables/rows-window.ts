import { findScroller, resizeSpacers } from './virtual-spacers.ts';

/** Up to here every row has its node. */
const MIN_WINDOWED_ROWS = 100;
/** Drawn beyond what is seen, on both sides. */
const MARGIN_PX = 600;
const DEFAULT_ROW_PX = 44;

/**
 * Which of many rows have nodes: those near what the viewer sees.
 *
 * Rows that have been drawn are measured; the others count as high as the first one. The gaps above
 * and below keep the table as high as if all were drawn. Most rows are equally high, so only those
 * that are not are remembered, and what a step costs does not grow with the rows.
 *
 * The browser's own scroll anchoring is off here (`overflow-anchor` in `table-features.styles.ts`): it takes a
 * gap that grows for content that was inserted, scrolls on, and so makes the gap grow again. The row
 * at the top of the window is held in place instead, where the heights around it were estimated.
 */
export class RowsWindow {
  /** Of the first row that is drawn, from 0. */
  from = 0;
  isActive = false;
  /** On paper nothing scrolls: every row has its node. */
  showAll = false;
  readonly #changed: () => void;
  /** By how much a row is higher than usual. */
  #heightOffsets = new Map<number, number>();
  #rowHeight = 0;
  #count = 0;
  #to = 0;
  #body: HTMLElement | undefined;
  #scrollListeners: AbortController | undefined;
  #frame = 0;
  /** The first row that the viewer sees, and where it was before rows changed. */
  #anchor: { row: Element; top: number } | undefined;
  #isReordered = false;

  /** @param changed other rows have come near */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The rows to draw now; the rest of the table is kept open. */
  slice<Row>(rows: Row[], body: HTMLElement): Row[] {
    this.isActive = !this.showAll && rows.length > MIN_WINDOWED_ROWS;
    this.#body = body;
    if (!this.isActive) {
      this.from = 0;
      this.stop();
      resizeSpacers(body, 0, 0);
      return rows;
    }
    this.#count = rows.length;
    this.#listen();
    if (!this.#isReordered) this.#setAnchor();
    this.#isReordered = false;
    const first = body.firstElementChild as HTMLElement | null;
    this.#rowHeight ||= first?.offsetHeight || DEFAULT_ROW_PX;
    // Nothing drawn is nowhere yet: from the top, and without a layout to find that out.
    const seen = first
      ? this.#visibleRange()
      : { from: 0, to: this.#rowAt(innerHeight + MARGIN_PX) + 1 };
    this.from = seen.from;
    this.#to = seen.to;
    this.#resizeSpacers();
    return rows.slice(this.from, this.#to);
  }

  /** Rows have been drawn: they are measured with the next frame, where it costs no layout more. */
  rendered() {
    if (!this.isActive) return;
    this.#restoreAnchor();
    this.#onNextFrame(this.#measure);
  }

  /** None while the first of all rows is in sight: then new rows on top push the others down. */
  #setAnchor() {
    this.#anchor = undefined;
    if (this.#top(this.#body!) >= 0) return;
    for (const row of this.#body!.children) {
      const { top, bottom } = row.getBoundingClientRect();
      if (bottom <= 0) continue;
      if (top < innerHeight) this.#anchor = { row, top };
      return;
    }
  }

  #restoreAnchor() {
    const { row, top } = this.#anchor ?? {};
    this.#anchor = undefined;
    if (!row?.isConnected) return;
    const moved = row.getBoundingClientRect().top - top!;
    if (Math.abs(moved) < 1) return;
    findScroller(row).scrollBy({ top: moved, behavior: 'instant' });
  }

  /** Brings a row near, so that it is drawn. */
  scrollToRow(index: number) {
    const body = this.#body;
    if (!this.isActive || !body) return;
    const top = this.#top(body) + this.#heightBefore(index);
    if (top < 0 || top > innerHeight - 2 * this.#rowHeight) {
      findScroller(body).scrollBy({ top: top - innerHeight / 2, behavior: 'instant' });
    }
    this.#changed();
  }

  /** Other rows are other heights; the one at the top of the window may come to stand anywhere. */
  reset() {
    this.#isReordered = true;
    this.#heightOffsets.clear();
    this.#rowHeight = 0;
  }

  stop() {
    this.#scrollListeners?.abort();
    this.#scrollListeners = undefined;
    cancelAnimationFrame(this.#frame);
  }

  #onNextFrame(callback: () => void) {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(callback);
  }

  readonly #measure = () => {
    const nodes = [...this.#body!.children] as HTMLElement[];
    if (!this.#body!.isConnected || !nodes.length) return;
    this.#setAnchor();
    // Not rounded: over many rows, fractions of a pixel add up to rows.
    const heights = nodes.map((node) => node.getBoundingClientRect().height);
    if (!this.#heightOffsets.size) this.#rowHeight = heights[0]!;
    for (const [index, height] of heights.entries()) {
      const offset = height - this.#rowHeight;
      if (offset) this.#heightOffsets.set(this.from + index, offset);
      else this.#heightOffsets.delete(this.from + index);
    }
    this.#resizeSpacers();
    this.#restoreAnchor();
    this.#checkRange();
  };

  /** Draws anew when what is near has changed by half a margin, or when an end has come near. */
  readonly #checkRange = () => {
    const { from, to } = this.#visibleRange();
    const slack = MARGIN_PX / 2 / this.#rowHeight;
    const moved = Math.abs(from - this.from) > slack || Math.abs(to - this.#to) > slack;
    const atEnd = (from === 0 && this.from > 0) || (to === this.#count && this.#to < to);
    if (moved || atEnd) this.#changed();
  };

  #listen() {
    if (this.#scrollListeners) return;
    const { signal } = (this.#scrollListeners = new AbortController());
    // Whatever scrolls around the table; its events do not bubble.
    const options = { capture: true, passive: true, signal };
    addEventListener('scroll', () => this.#onNextFrame(this.#checkRange), options);
    const resized = () => {
      this.reset();
      this.#onNextFrame(this.#measure);
    };
    addEventListener('resize', resized, { signal });
  }

  /** Where the first of all rows begins, from the window's top. */
  #top(body: HTMLElement) {
    // A gap that is hidden stands nowhere.
    const open = body.previousElementSibling?.matches('.gap:not([hidden])');
    return (open ? body.previousElementSibling! : body).getBoundingClientRect().top;
  }

  #visibleRange() {
    const above = -this.#top(this.#body!) - MARGIN_PX;
    const below = above + innerHeight + 2 * MARGIN_PX;
    return {
      // A table that has been scrolled past still draws some rows.
      from: Math.max(0, Math.min(this.#rowAt(above), this.#count - 10)),
      to: Math.min(this.#count, Math.max(this.#rowAt(below) + 1, 10)),
    };
  }

  /** The row that stands at a height. */
  #rowAt(height: number): number {
    let index = Math.max(0, Math.min(this.#count, Math.floor(height / this.#rowHeight)));
    while (index > 0 && this.#heightBefore(index) > height) index -= 1;
    while (index < this.#count && this.#heightBefore(index + 1) <= height) index += 1;
    return index;
  }

  /** How high all rows before this one are together. */
  #heightBefore(before: number): number {
    let height = before * this.#rowHeight;
    for (const [index, odd] of this.#heightOffsets) if (index < before) height += odd;
    return height;
  }

  #resizeSpacers() {
    const after = this.#heightBefore(this.#count) - this.#heightBefore(this.#to);
    resizeSpacers(this.#body!, this.#heightBefore(this.from), after);
  }
}
