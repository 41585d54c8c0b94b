/**
 * Reserves the height of rows that are not rendered, with an empty <tbody> above and below.
 *
 * @param above height in pixels
 * @param below height in pixels
 */
export function resizeSpacers(body: Element, above: number, below: number) {
  const [before, after] = [body.previousElementSibling, body.nextElementSibling];
  resizeSpacer(isSpacer(before) ? before : undefined, above, (spacer) => body.before(spacer));
  resizeSpacer(isSpacer(after) ? after : undefined, below, (gap) => body.after(gap));
}

const isSpacer = (node: Element | null): node is HTMLElement =>
  !!node?.classList.contains('spacer');

function resizeSpacer(
  existing: HTMLElement | undefined,
  height: number,
  insert: (gap: HTMLElement) => void,
) {
  if (!existing && !height) return;
  const gap = existing ?? createSpacer();
  const cell = gap.querySelector('td')!;
  const blockSize = `${height}px`;
  if (cell.style.blockSize !== blockSize) cell.style.blockSize = blockSize;
  gap.hidden = height === 0;
  if (!existing) insert(gap);
}

function createSpacer(): HTMLElement {
  const body = document.createElement('tbody');
  body.className = 'spacer';
  body.ariaHidden = 'true';
  body.append(document.createElement('tr'));
  body.firstElementChild!.append(document.createElement('td'));
  return body;
}

/** Returns the nearest scroll container, also across shadow roots, or the document's. */
export function findScroller(node: Element): Element {
  let at: Element | null = node;
  while (at) {
    const { overflowY } = getComputedStyle(at);
    if (/auto|scroll/.test(overflowY) && at.scrollHeight > at.clientHeight) return at;
    const root: Node = at.getRootNode();
    at = at.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  return document.scrollingElement ?? document.documentElement;
}
