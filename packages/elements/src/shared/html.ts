/**
 * Templates of the elements: a small renderer with the interface of `lit-html`, as far as the elements
 * use it. docs/decisions/0115-renderer-of-the-elements.md
 *
 * A template is HTML in the code, with values in these places:
 *
 * - `<p>${value}</p>`: a text, a node, another template, or an array of these. `nothing`, null and
 *   undefined show nothing.
 * - `<p class="note ${value}">`: an attribute. `nothing` removes it; null and undefined are empty.
 * - `<p ?hidden=${value}>`: a boolean attribute.
 * - `<input .value=${value} />`: a property.
 * - `<p @click=${value}>`: a function that handles an event, or undefined.
 *
 * Only the text of the code is read as HTML. Values become texts, attributes and properties, so what a
 * donor has typed is never parsed. Nodes are created without the browser's HTML parser, so a page with
 * Trusted Types needs no policy for them.
 *
 * The HTML is what the formatter writes: every element is closed, an element without content by `/>`,
 * and attributes have double quotes or are one value. It contains no entities and no comments.
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
/** Matches an attribute with its value, in quotes or not. */
const ATTRIBUTE = /([^\s=]+)(?:="([^"]*)"|=(\S+))?/g;
const SVG = 'http://www.w3.org/2000/svg';

/** The nodes of a template, and what writes values to them. */
class TemplateNodes {
  readonly strings: TemplateStringsArray;
  /** Holds the nodes until they are inserted into their parent. */
  readonly fragment = new DocumentFragment();
  /** Each writes the values of one place, in the order of the template. */
  readonly #parts: ((values: readonly unknown[]) => void)[] = [];
  /** The number of values in the places so far. */
  #count = 0;

  constructor(strings: TemplateStringsArray) {
    this.strings = strings;
    let parent: Node = this.fragment;
    for (const [text, end, tag, attributes, isEmpty] of strings.join(VALUE).matchAll(TAG_OR_TEXT)) {
      if (end) parent = parent.parentNode!;
      else if (!tag) this.#addText(parent, text);
      else {
        const isSvg = tag === 'svg' || (parent as Partial<Element>).namespaceURI === SVG;
        const element = isSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
        for (const [, name, quoted, value = quoted ?? ''] of attributes!.matchAll(ATTRIBUTE))
          this.#addAttribute(element, name!, value.split(VALUE));
        parent.appendChild(element);
        if (!isEmpty) parent = element;
      }
    }
  }

  update(values: readonly unknown[]) {
    for (const part of this.#parts) part(values);
  }

  #addText(parent: Node, text: string) {
    for (const [index, piece] of text.split(VALUE).entries()) {
      if (index) {
        const content = new Content(parent);
        const at = this.#count++;
        this.#parts.push((values) => content.set(values[at]));
      }
      if (piece) parent.appendChild(new Text(piece));
    }
  }

  /** @param texts the texts before, between and after the values; one text if there is no value */
  #addAttribute(element: Element, name: string, texts: string[]) {
    if (!(1 in texts)) return element.setAttribute(name, texts[0]!);
    const from = this.#count;
    const to = (this.#count += texts.length - 1);
    const write = createWriter(element, name);
    let written: unknown = texts; // Equal to no value.
    this.#parts.push((values) => {
      const value = joinValues(texts, values.slice(from, to));
      if (value !== written) write((written = value));
    });
  }
}

/** The value of an attribute: a single value as it is, or else a text. */
function joinValues(texts: readonly string[], values: readonly unknown[]): unknown {
  const isText = texts[2] !== undefined || texts.join('') !== '';
  if (!isText || values.includes(nothing)) return isText ? nothing : values[0];
  return String.raw({ raw: texts }, ...values.map((value) => value ?? ''));
}

/** Returns what writes an attribute, a property or an event listener, by the first character of its name. */
function createWriter(element: Element, name: string): (value: unknown) => void {
  const plainName = name.slice(1);
  switch (name[0]) {
    case '.':
      return (value) => Reflect.set(element, plainName, value);
    case '?':
      return (value) => element.toggleAttribute(plainName, Boolean(value));
    case '@': {
      let listener: ((event: Event) => void) | undefined;
      element.addEventListener(plainName, (event) => listener?.(event));
      return (value) => (listener = value as typeof listener);
    }
    default:
      return (value) => {
        if (value === nothing) element.removeAttribute(name);
        else element.setAttribute(name, `${(value ?? '') as string}`);
      };
  }
}
