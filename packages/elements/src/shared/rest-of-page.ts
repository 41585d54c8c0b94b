/** Elements that scripts append to a page, also after a tag that was never closed. */
const APPENDED = 'script, style, link, iframe';
/** Elements of a page that are no fallback content of a tag. */
const PAGE_CONTENT =
  'header, nav, main, section, article, aside, footer, form, h1, h2, script, ' +
  'connect-donate, connect-goal, connect-donations, connect-donors, connect-payouts';

/**
 * Moves the rest of the page behind an element whose tag was never closed, and says in the console what to
 * write.
 */
export function releaseRestOfPage(element: HTMLElement) {
  const { localName } = element;
  const content = [...element.childNodes].filter((node) => !isSlotted(node));
  if (!isLastOfParent(element) || !isRestOfPage(element, content)) return;
  console.warn(
    `<${localName} /> is not closed, so it contained what follows it. Write <${localName}></${localName}>.`,
  );
  element.after(...content);
}

/** Whether a child has its own place in the element, such as the card fields. */
const isSlotted = (node: Node) => node instanceof Element && node.slot !== '';

function isLastOfParent(element: Element): boolean {
  for (let next = element.nextSibling; next; next = next.nextSibling)
    if (!(next instanceof Element && next.matches(APPENDED))) return false;
  return true;
}

/**
 * Whether the content of an element that is the last in its parent is the rest of the parent, not fallback
 * content.
 *
 * The rest ends with the line break before the parent's end tag, which otherwise follows the element. So does
 * fallback content of a tag without spaces around it, but it is a single element. In a page without line
 * breaks, the rest is recognized by what only pages contain.
 */
function isRestOfPage(element: HTMLElement, content: readonly Node[]): boolean {
  const elements = content.filter((node) => node instanceof Element);
  if (!elements.length) return false;
  const isOnOwnLine = /\n\s*$/.test(element.previousSibling?.textContent ?? '');
  const endsWithLine = /\n\s*$/.test(content.map(({ textContent }) => textContent).join(''));
  return (
    (endsWithLine && (isOnOwnLine || elements.length > 1)) ||
    elements.some((one) => one.matches(PAGE_CONTENT) || one.querySelector(PAGE_CONTENT))
  );
}
