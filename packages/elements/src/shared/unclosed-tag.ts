import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Elements that scripts append to a page, also after a tag that was never closed. */
const APPENDED = 'script, style, link, iframe';
/** Elements of a page that are no fallback content of a tag. */
const PAGE_CONTENT = 'header, nav, main, section, article, aside, footer, form, h1, h2, script';

/**
 * Keeps the page visible where a tag was written as `<connect-donate />`.
 *
 * HTML ignores the slash, so the rest of the parent becomes content of the element, which shows none. The
 * content is moved behind the element, and a warning in the console says what to write.
 */
export class UnclosedTag implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected() {
    if (document.readyState !== 'loading') this.#check();
    else document.addEventListener('DOMContentLoaded', this.#check, { once: true });
  }

  readonly #check = () => {
    const { localName } = this.#host;
    const content = [...this.#host.childNodes].filter((node) => !isSlotted(node));
    if (!isLastOfParent(this.#host) || !isRestOfPage(content)) return;
    console.warn(
      `<${localName} /> is not closed, so it contained what follows it. Write <${localName}></${localName}>.`,
    );
    this.#host.after(...content);
  };
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
 * content. The rest ends with the line break before the parent's end tag, which otherwise follows the
 * element; in a page without line breaks it is recognized by what only pages contain.
 */
function isRestOfPage(content: readonly Node[]): boolean {
  const elements = content.filter((node) => node instanceof Element);
  if (!elements.length) return false;
  return (
    /\n\s*$/.test(content.map(({ textContent }) => textContent).join('')) ||
    elements.some((one) => one.matches(PAGE_CONTENT) || one.querySelector(PAGE_CONTENT))
  );
}
