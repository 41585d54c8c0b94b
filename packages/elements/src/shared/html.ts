/**
 * Templates of the elements: a small renderer with the interface of `lit-html`, as far as the elements
 * use it. docs/decisions/0115-renderer-of-the-elements.md
 *
 * A template is HTML in the code, with values in these places:
 *
 * - `<p>${value}</p>`: a text, a node, another template, or an array of these. `nothing`, null and
 *   undefined show nothing.
 * - `<p class=${value}>`: an attribute. `nothing` removes it; null and undefined are empty.
 * - `<p ?hidden=${value}>`: a boolean attribute.
 * - `<input .value=${value} />`: a property.
 * - `<p @click=${value}>`: a function that handles an event, or undefined.
 *
 * Only the text of the code is read as HTML. Values become texts, attributes and properties, so what a
 * donor has typed is never parsed. Nodes are created without the browser's HTML parser, so a page with
 * Trusted Types needs no policy for them.
 *
 * The HTML is what the formatter writes: every element is closed, a void element by `/>`, and an attribute
 * is a text in double quotes or one value. It contains no entities and no comments.
 */

/** A template with its values. It is a class, because no JSON of a server is an instance of a class. */
export class TemplateResult {
  /** The texts around the values: the same object each time the same code runs. */
  readonly strings: TemplateStringsArray;
  readonly values: readonly unknown[];

  constructor(strings: TemplateStringsArray, values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
}

/** Template tag for HTML. */
export const html = (strings: TemplateStringsArray, ...values: unknown[]) =>
  new TemplateResult(strings, values);

/** A value that shows nothing, and removes an attribute. */
export const nothing = Symbol();

const roots = new WeakMap<Node, Content>();

/**
 * Renders a value into a container, after what the container already has. A later call writes only the
 * values that have changed, and keeps the nodes of a template that is still in its place.
 */
export function render(value: unknown, container: Node): void {
  let root = roots.get(container);
  if (!root) roots.set(container, (root = new Content(container)));
  root.set(value);
}

/** What is shown for a value between two tags. Two comments mark its start and its end. */
class Content {
  readonly #start = new Comment();
  readonly #end = new Comment();
  /** The nodes of a template, the contents of an array, or any other value as it was given. */
  #shown: unknown;

  /** @param next the node that follows in the parent */
  constructor(parent: Node, next: Node | null = null) {
    parent.insertBefore(this.#start, next);
    parent.insertBefore(this.#end, next);
  }

  set(value: unknown): void {
    const shown = this.#shown;
    if (value instanceof TemplateResult) {
      const { strings, values } = value;
      const isSame = shown instanceof TemplateNodes && shown.strings === strings;
      const nodes = isSame ? shown : new TemplateNodes(strings);
      nodes.update(values);
      if (!isSame) this.#replace(nodes.fragment);
      this.#shown = nodes;
    } else if (Array.isArray(value)) {
      if (!Array.isArray(shown)) this.#replace();
      this.#shown = this.#setItems(Array.isArray(shown) ? shown : [], value);
    } else if (value !== shown) {
      this.#shown = value;
      if ((value ?? nothing) === nothing) this.#replace();
      else this.#replace(value instanceof Node ? value : `${value as string}`);
    }
  }

  #setItems(contents: Content[], values: readonly unknown[]) {
    for (const [index, value] of values.entries())
      (contents[index] ??= new Content(this.#end.parentNode!, this.#end)).set(value);
    for (const content of contents.splice(values.length)) {
      content.#replace();
      content.#start.remove();
      content.#end.remove();
    }
    return contents;
  }

  #replace(...nodes: (Node | string)[]) {
    while (this.#start.nextSibling !== this.#end) this.#start.nextSibling!.remove();
    this.#end.before(...nodes);
  }
}

/** Stands for a value in the text of a template. */
const VALUE = '\0';
/** Matches a tag, or the text between two tags. */
const TAG_OR_TEXT = /<(\/?)([\w-]+)([^>]*?)(\/?)>|[^<]+/g;
/** Matches an attribute: its name, and its text or its value. */
const ATTRIBUTE = /([^\s=]+)(?:="([^"]*)"|=(\0))?/g;
const SVG = 'http://www.w3.org/2000/svg';

/** The nodes of a template. */
class TemplateNodes {
  readonly strings: TemplateStringsArray;
  /** Holds the nodes until they are inserted into their parent. */
  readonly fragment = new DocumentFragment();
  /** Writes the values of the template, in their order. */
  readonly #writers: ((value: unknown) => void)[] = [];

  constructor(strings: TemplateStringsArray) {
    this.strings = strings;
    let parent: Node = this.fragment;
    for (const [text, end, tag, attributes, isVoid] of strings.join(VALUE).matchAll(TAG_OR_TEXT)) {
      if (end) parent = parent.parentNode!;
      else if (!tag) this.#addText(parent, text);
      else {
        const isSvg = tag === 'svg' || (parent as Partial<Element>).namespaceURI === SVG;
        const element = isSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
        for (const [, name, textValue = '', value] of attributes!.matchAll(ATTRIBUTE)) {
          if (value) this.#writers.push(createAttributeWriter(element, name!));
          else element.setAttribute(name!, textValue);
        }
        parent.appendChild(element);
        if (!isVoid) parent = element;
      }
    }
  }

  update(values: readonly unknown[]) {
    for (const [index, write] of this.#writers.entries()) write(values[index]);
  }

  #addText(parent: Node, text: string) {
    for (const [index, piece] of text.split(VALUE).entries()) {
      if (index) {
        const content = new Content(parent);
        this.#writers.push((value) => content.set(value));
      }
      if (piece) parent.appendChild(new Text(piece));
    }
  }
}

/** Returns a function that writes a changed value to an attribute, a property or an event listener. */
function createAttributeWriter(element: Element, name: string): (value: unknown) => void {
  const plainName = name.slice(1);
  let written: unknown = element; // Equal to no value.
  if (name[0] === '@')
    element.addEventListener(plainName, (event) => (written as Listener | undefined)?.(event));
  return (value) => {
    if (value === written) return;
    written = value;
    if (name[0] === '.') Reflect.set(element, plainName, value);
    else if (name[0] === '?') element.toggleAttribute(plainName, Boolean(value));
    else if (value === nothing) element.removeAttribute(name);
    else if (name[0] !== '@') element.setAttribute(name, `${(value ?? '') as string}`);
  };
}

type Listener = (event: Event) => void;
