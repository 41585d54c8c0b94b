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
 */
export class RowsWindow {
  /** Of the first row that is drawn, from 0. */
  from = 0;
  active = false;
  readonly #changed: () => void;
  /** By how much a row is higher than usual. */
  #odd = new Map<number, number>();
  #usual = 0;
  #count = 0;
  #to = 0;
  #body: HTMLElement | undefined;
  #listening: AbortController | undefined;
  #frame = 0;

  /** @param changed other rows have come near */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The rows to draw now; the rest of the table is kept open. */
  slice<Row>(rows: Row[], body: HTMLElement): Row[] {
    this.active = rows.length > FEW_ROWS;
    this.#body = body;
    if (!this.active) {
      this.from = 0;
      this.stop();
      sizeGaps(body, 0, 0);
      return rows;
    }
    this.#count = rows.length;
    this.#listen();
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
    if (this.active) this.#next(this.#measure);
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

  /** Other rows are other heights. */
  forget() {
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
    const heights = nodes.map(({ offsetHeight }) => offsetHeight);
    if (!this.#odd.size) this.#usual = heights[0]!;
    for (const [index, height] of heights.entries()) {
      const odd = height - this.#usual;
      if (odd) this.#odd.set(this.from + index, odd);
      else this.#odd.delete(this.from + index);
    }
    this.#open();
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
