import { scrollerOf, sizeGaps } from './gaps.ts';

/** Up to here every row has its node. */
const FEW_ROWS = 100;
/** Drawn beyond what is seen, on both sides. */
const MARGIN_PX = 600;
const ROW_PX = 44;

/**
 * Which of many rows have nodes: those near what the viewer sees.
 *
 * Rows that have been drawn are measured; the others count as high as the first one. The gaps above
 * and below keep the table as high as if all were drawn. Most rows are equally high, so only those
 * that are not are remembered, and what a step costs does not grow with the rows.
 *
 * The browser's own scroll anchoring is off here (`overflow-anchor` in `tools.styles.ts`): it takes a
 * gap that grows for content that was inserted, scrolls on, and so makes the gap grow again. The row
 * at the top of the window is held in place instead, where the heights around it were estimated.
 */
export class RowsWindow {
  /** Of the first row that is drawn, from 0. */
  from = 0;
  active = false;
  /** On paper nothing scrolls: every row has its node. */
  everything = false;
  readonly #changed: () => void;
  /** By how much a row is higher than usual. */
  #odd = new Map<number, number>();
  #usual = 0;
  #count = 0;
  #to = 0;
  #body: HTMLElement | undefined;
  #listening: AbortController | undefined;
  #frame = 0;
  /** The first row that the viewer sees, and where it was before rows changed. */
  #anchor: { row: Element; top: number } | undefined;
  #reordered = false;

  /** @param changed other rows have come near */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The rows to draw now; the rest of the table is kept open. */
  slice<Row>(rows: Row[], body: HTMLElement): Row[] {
    this.active = !this.everything && rows.length > FEW_ROWS;
    this.#body = body;
    if (!this.active) {
      this.from = 0;
      this.stop();
      sizeGaps(body, 0, 0);
      return rows;
    }
    this.#count = rows.length;
    this.#listen();
    if (!this.#reordered) this.#setAnchor();
    this.#reordered = false;
    const first = body.firstElementChild as HTMLElement | null;
    this.#usual ||= first?.offsetHeight || ROW_PX;
    // Nothing drawn is nowhere yet: from the top, and without a layout to find that out.
    const seen = first ? this.#seen() : { from: 0, to: this.#at(innerHeight + MARGIN_PX) + 1 };
    this.from = seen.from;
    this.#to = seen.to;
    this.#open();
    return rows.slice(this.from, this.#to);
  }

  /** Rows have been drawn: they are measured with the next frame, where it costs no layout more. */
  drawn() {
    if (!this.active) return;
    this.#restoreAnchor();
    this.#next(this.#measure);
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
    scrollerOf(row).scrollBy({ top: moved, behavior: 'instant' });
  }

  /** Brings a row near, so that it is drawn. */
  reach(index: number) {
    const body = this.#body;
    if (!this.active || !body) return;
    const top = this.#top(body) + this.#height(index);
    if (top < 0 || top > innerHeight - 2 * this.#usual) {
      scrollerOf(body).scrollBy({ top: top - innerHeight / 2, behavior: 'instant' });
    }
    this.#changed();
  }

  /** Other rows are other heights; the one at the top of the window may come to stand anywhere. */
  forget() {
    this.#reordered = true;
    this.#odd.clear();
    this.#usual = 0;
  }

  stop() {
    this.#listening?.abort();
    this.#listening = undefined;
    cancelAnimationFrame(this.#frame);
  }

  #next(act: () => void) {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(act);
  }

  readonly #measure = () => {
    const nodes = [...this.#body!.children] as HTMLElement[];
    if (!this.#body!.isConnected || !nodes.length) return;
    this.#setAnchor();
    // Not rounded: over many rows, fractions of a pixel add up to rows.
    const heights = nodes.map((node) => node.getBoundingClientRect().height);
    if (!this.#odd.size) this.#usual = heights[0]!;
    for (const [index, height] of heights.entries()) {
      const odd = height - this.#usual;
      if (odd) this.#odd.set(this.from + index, odd);
      else this.#odd.delete(this.from + index);
    }
    this.#open();
    this.#restoreAnchor();
    this.#look();
  };

  /** Draws anew when what is near has changed by half a margin, or when an end has come near. */
  readonly #look = () => {
    const { from, to } = this.#seen();
    const slack = MARGIN_PX / 2 / this.#usual;
    const moved = Math.abs(from - this.from) > slack || Math.abs(to - this.#to) > slack;
    const atEnd = (from === 0 && this.from > 0) || (to === this.#count && this.#to < to);
    if (moved || atEnd) this.#changed();
  };

  #listen() {
    if (this.#listening) return;
    const { signal } = (this.#listening = new AbortController());
    // Whatever scrolls around the table; its events do not bubble.
    const options = { capture: true, passive: true, signal };
    addEventListener('scroll', () => this.#next(this.#look), options);
    const resized = () => {
      this.forget();
      this.#next(this.#measure);
    };
    addEventListener('resize', resized, { signal });
  }

  /** Where the first of all rows begins, from the window's top. */
  #top(body: HTMLElement) {
    // A gap that is hidden stands nowhere.
    const open = body.previousElementSibling?.matches('.gap:not([hidden])');
    return (open ? body.previousElementSibling! : body).getBoundingClientRect().top;
  }

  #seen() {
    const above = -this.#top(this.#body!) - MARGIN_PX;
    const below = above + innerHeight + 2 * MARGIN_PX;
    return {
      // A table that has been scrolled past still draws some rows.
      from: Math.max(0, Math.min(this.#at(above), this.#count - 10)),
      to: Math.min(this.#count, Math.max(this.#at(below) + 1, 10)),
    };
  }

  /** The row that stands at a height. */
  #at(height: number): number {
    let index = Math.max(0, Math.min(this.#count, Math.floor(height / this.#usual)));
    while (index > 0 && this.#height(index) > height) index -= 1;
    while (index < this.#count && this.#height(index + 1) <= height) index += 1;
    return index;
  }

  /** How high all rows before this one are together. */
  #height(before: number): number {
    let height = before * this.#usual;
    for (const [index, odd] of this.#odd) if (index < before) height += odd;
    return height;
  }

  #open() {
    const after = this.#height(this.#count) - this.#height(this.#to);
    sizeGaps(this.#body!, this.#height(this.from), after);
  }
}
