/**
 * Reserves the height of rows that are not rendered, with an empty <tbody> above and below.
 *
 * @param above height in pixels
 * @param below height in pixels
 */
export function resizeSpacers(body: Element, above: number, below: number) {
  const [before, after] = [body.previousElementSibling, body.nextElementSibling];
  resizeSpacer(isSpacer(before) ? before : undefined, above, (spacer) => body.before(spacer));
  resizeSpacer(isSpacer(after) ? after : undefined, below, (spacer) => body.after(spacer));
}

const isSpacer = (node: Element | null): node is HTMLElement =>
  !!node?.classList.contains('spacer');

function resizeSpacer(
  existing: HTMLElement | undefined,
  height: number,
  insert: (spacer: HTMLElement) => void,
) {
  if (!existing && !height) return;
  const spacer = existing ?? createSpacer();
  const cell = spacer.querySelector('td')!;
  const blockSize = `${height}px`;
  if (cell.style.blockSize !== blockSize) cell.style.blockSize = blockSize;
  spacer.hidden = height === 0;
  if (!existing) insert(spacer);
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
