import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Up to this number of rows, every row has a DOM node. */
const MIN_WINDOWED_ROWS = 100;
/** Rows are also rendered this far above and below the viewport. */
const MARGIN_PX = 600;
const DEFAULT_ROW_PX = 44;

/**
 * Virtual scrolling: determines which rows have DOM nodes, namely those near the viewport.
 *
 * Rendered rows are measured; the others count with the usual height of a row. The view renders spacers
 * above and below, which keep the total height. Only heights that differ from the usual one are stored, so
 * the cost of a scroll step depends on their number and not on the number of rows.
 *
 * The browser's scroll anchoring is turned off (`overflow-anchor` in `table-features.styles.ts`). It
 * treats a growing spacer as inserted content and scrolls, which makes the spacer grow again. Instead,
 * this class keeps the first visible row in place when estimated heights are corrected.
 */
export class RowsWindow implements ReactiveController {
  /** Index of the first rendered row. */
  from = 0;
  /** Height of the rows before and after the rendered ones, in pixels. */
  spaceAbove = 0;
  spaceBelow = 0;
  isActive = false;
  /** Renders every row, for printing. */
  showAll = false;
  readonly #host: ReactiveControllerHost & Element & { renderRoot: ParentNode };
  /** Difference of a row's height from the usual one in pixels, by row index. */
  #heightOffsets = new Map<number, number>();
  #rowHeight = 0;
  #count = 0;
  #to = 0;
  #scrollListeners: AbortController | undefined;
  #measureFrame = 0;
  #scrollFrame = 0;
  /** The first visible row and its position before the rows changed. */
  #anchor: { row: Element; top: number } | undefined;
  #isReordered = false;

  constructor(host: ReactiveControllerHost & Element & { renderRoot: ParentNode }) {
    this.#host = host;
    host.addController(this);
  }

  get #body() {
    return this.#host.renderRoot.querySelector<HTMLElement>('.rows');
  }

  hostDisconnected() {
    this.#stop();
  }

  /** The rows are measured in the next frame, which needs no additional layout. */
  hostUpdated() {
    if (!this.isActive) return;
    this.#restoreAnchor();
    cancelAnimationFrame(this.#measureFrame);
    this.#measureFrame = requestAnimationFrame(this.#measure);
  }

  /** Returns the rows to render now. Called before each render. */
  slice<Row>(rows: Row[]): Row[] {
    this.isActive = !this.showAll && rows.length > MIN_WINDOWED_ROWS;
    if (!this.isActive) {
      this.from = 0;
      this.#stop();
      return rows;
    }
    this.#count = rows.length;
    this.#listen();
    if (!this.#isReordered) this.#setAnchor();
    this.#isReordered = false;
    const first = this.#body?.firstElementChild as HTMLElement | null | undefined;
    this.#rowHeight ||= first?.offsetHeight || DEFAULT_ROW_PX;
    // Without rendered rows, assume the top of the table. This avoids a layout.
    const visible = first
      ? this.#visibleRange()
      : { from: 0, to: this.#rowAt(innerHeight + MARGIN_PX) + 1 };
    this.from = visible.from;
    this.#to = visible.to;
    Object.assign(this, this.#spaces());
    return rows.slice(this.from, this.#to);
  }

  /** There is no anchor while the first row is visible: new rows at the top then push the others down. */
  #setAnchor() {
    this.#anchor = undefined;
    const body = this.#body;
    if (!body || this.#top(body) >= 0) return;
    for (const row of body.children) {
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

  /** Scrolls a row into the viewport, so that it is rendered. */
  scrollToRow(index: number) {
    const body = this.#body;
    if (!this.isActive || !body) return;
    const top = this.#top(body) + this.#heightBefore(index);
    if (top < 0 || top > innerHeight - 2 * this.#rowHeight) {
      findScroller(body).scrollBy({ top: top - innerHeight / 2, behavior: 'instant' });
    }
    this.#host.requestUpdate();
  }

  /**
   * Called when the rows are reordered: the measured heights are no longer valid, and no row is kept in
   * place.
   */
  reset() {
    this.#isReordered = true;
    this.#heightOffsets.clear();
    this.#rowHeight = 0;
  }

  #stop() {
    this.#scrollListeners?.abort();
    this.#scrollListeners = undefined;
    cancelAnimationFrame(this.#measureFrame);
    cancelAnimationFrame(this.#scrollFrame);
  }

  readonly #measure = () => {
    const nodes = [...(this.#body?.children ?? [])] as HTMLElement[];
    if (!nodes.length) return;
    // Not rounded: over many rows, fractions of a pixel add up to whole rows.
    const heights = nodes.map((node) => node.getBoundingClientRect().height);
    if (!this.#heightOffsets.size) this.#rowHeight = heights[0]!;
    heights.forEach((height, index) => {
      const offset = height - this.#rowHeight;
      if (offset) this.#heightOffsets.set(this.from + index, offset);
      else this.#heightOffsets.delete(this.from + index);
    });
    const { spaceAbove, spaceBelow } = this.#spaces();
    // Fractions of a pixel depend on the position of a row, and would cause an update in every frame.
    const isChanged =
      Math.abs(spaceAbove - this.spaceAbove) >= 1 || Math.abs(spaceBelow - this.spaceBelow) >= 1;
    if (!isChanged) this.#checkRange();
    else this.#host.requestUpdate();
  };

  /** Re-renders when the visible range has moved by half a margin, or has reached the first or last row. */
  readonly #checkRange = () => {
    if (!this.#body) return;
    const { from, to } = this.#visibleRange();
    const slack = MARGIN_PX / 2 / this.#rowHeight;
    const moved = Math.abs(from - this.from) > slack || Math.abs(to - this.#to) > slack;
    const atEnd = (from === 0 && this.from > 0) || (to === this.#count && this.#to < to);
    if (moved || atEnd) this.#host.requestUpdate();
  };

  #spaces() {
    const spaceAbove = this.#heightBefore(this.from);
    const spaceBelow = this.#heightBefore(this.#count) - this.#heightBefore(this.#to);
    return { spaceAbove, spaceBelow };
  }

  #listen() {
    // An update may follow the removal of the element.
    if (this.#scrollListeners || !this.#host.isConnected) return;
    const { signal } = (this.#scrollListeners = new AbortController());
    const options = { capture: true, passive: true, signal };
    // Scroll events neither bubble nor leave a shadow root, so every root around the table is listened
    // to, in the capture phase.
    for (const root of rootsAround(this.#host)) {
      root.addEventListener('scroll', this.#handleScroll, options);
    }
    addEventListener('resize', this.#handleResize, { signal });
  }

  readonly #handleScroll = () => {
    cancelAnimationFrame(this.#scrollFrame);
    this.#scrollFrame = requestAnimationFrame(this.#checkRange);
  };

  readonly #handleResize = () => {
    this.reset();
    this.#host.requestUpdate();
  };

  /** Position of the first row relative to the viewport, including the upper spacer. */
  #top(body: HTMLElement) {
    // A hidden spacer has no position.
    const open = body.previousElementSibling?.matches('.spacer:not([hidden])');
    return (open ? body.previousElementSibling! : body).getBoundingClientRect().top;
  }

  #visibleRange() {
    const above = -this.#top(this.#body!) - MARGIN_PX;
    const below = above + innerHeight + 2 * MARGIN_PX;
    return {
      // Renders at least 10 rows, even when the table is scrolled out of view.
      from: Math.max(0, Math.min(this.#rowAt(above), this.#count - 10)),
      to: Math.min(this.#count, Math.max(this.#rowAt(below) + 1, 10)),
    };
  }

  /** Index of the row at a height, in pixels from the first row. */
  #rowAt(height: number): number {
    let index = Math.max(0, Math.min(this.#count, Math.floor(height / this.#rowHeight)));
    while (index > 0 && this.#heightBefore(index) > height) index -= 1;
    while (index < this.#count && this.#heightBefore(index + 1) <= height) index += 1;
    return index;
  }

  /** Total height of all rows before an index. */
  #heightBefore(before: number): number {
    let height = before * this.#rowHeight;
    for (const [index, offset] of this.#heightOffsets) if (index < before) height += offset;
    return height;
  }
}

/** The window, and every shadow root that contains an element. */
function rootsAround(element: Element): EventTarget[] {
  const roots: EventTarget[] = [window];
  let root = element.getRootNode();
  while (root instanceof ShadowRoot) {
    roots.push(root);
    root = root.host.getRootNode();
  }
  return roots;
}

/** Returns the nearest scroll container, also across slots and shadow roots, or the document's. */
function findScroller(node: Element): Element {
  let at: Element | null = node;
  while (at) {
    const { overflowY } = getComputedStyle(at);
    if (/auto|scroll/.test(overflowY) && at.scrollHeight > at.clientHeight) return at;
    const root: Node = at.getRootNode();
    at = at.assignedSlot ?? at.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return document.scrollingElement ?? document.documentElement;
}
