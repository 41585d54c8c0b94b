/** Keeps open what is not drawn: an empty body above the rows, and one below. */
export function resizeSpacers(body: Element, above: number, below: number) {
  const [before, after] = [body.previousElementSibling, body.nextElementSibling];
  resizeSpacer(isSpacer(before) ? before : undefined, above, (spacer) => body.before(spacer));
  resizeSpacer(isSpacer(after) ? after : undefined, below, (gap) => body.after(gap));
}

const isSpacer = (node: Element | null): node is HTMLElement => !!node?.classList.contains('gap');

function resizeSpacer(
  known: HTMLElement | undefined,
  height: number,
  insert: (gap: HTMLElement) => void,
) {
  if (!known && !height) return;
  const gap = known ?? createSpacer();
  const cell = gap.querySelector('td')!;
  const blockSize = `${height}px`;
  if (cell.style.blockSize !== blockSize) cell.style.blockSize = blockSize;
  gap.hidden = height === 0;
  if (!known) insert(gap);
}

function createSpacer(): HTMLElement {
  const body = document.createElement('tbody');
  body.className = 'gap';
  body.ariaHidden = 'true';
  body.append(document.createElement('tr'));
  body.firstElementChild!.append(document.createElement('td'));
  return body;
}

/** What scrolls when the table does. */
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
