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
 * - `<p @click=${value}>`: a function that handles an event; any other value is ignored.
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

const roots = new WeakMap<Node, Place>();

/**
 * Renders a value into a container, after what the container already has. A later call writes only the
 * values that have changed, and keeps the nodes of a template that is still in its place.
 */
export function render(value: unknown, container: Node): void {
  let root = roots.get(container);
  if (!root) roots.set(container, (root = createPlace(container)));
  root.set(value);
}

/** Where a value is shown. */
interface Place {
  set: (value: unknown) => void;
  remove: () => void;
}

/**
 * Creates a place between two tags. Two comments mark its start and its end.
 *
 * @param next the node that follows in the parent
 */
function createPlace(parent: Node, next: Node | null = null): Place {
  const start = parent.insertBefore(new Comment(), next);
  const end = parent.insertBefore(new Comment(), next);
  /** The nodes of a template, the places of an array, or any other value as it was given. */
  let shown: unknown;

  function replace(...nodes: (Node | string)[]) {
    while (start.nextSibling !== end) start.nextSibling!.remove();
    end.before(...nodes);
  }

  function setTemplate({ strings, values }: TemplateResult) {
    const isSame = (shown as Partial<TemplateNodes> | undefined)?.strings === strings;
    const nodes = isSame ? (shown as TemplateNodes) : createNodes(strings);
    nodes.writers.forEach((write, index) => write(values[index]));
    if (!isSame) replace(nodes.fragment);
    shown = nodes;
  }

  function setItems(values: readonly unknown[]) {
    if (!Array.isArray(shown)) replace();
    const places = Array.isArray(shown) ? (shown as Place[]) : [];
    values.forEach((value, index) =>
      (places[index] ??= createPlace(end.parentNode!, end)).set(value),
    );
    for (const place of places.splice(values.length)) place.remove();
    shown = places;
  }

  return {
    set(value) {
      if (value instanceof TemplateResult) setTemplate(value);
      else if (Array.isArray(value)) setItems(value);
      else if (value !== shown) {
        shown = value;
        if ((value ?? nothing) === nothing) replace();
        else replace(value instanceof Node ? value : `${value as string}`);
      }
    },
    remove() {
      replace();
      start.remove();
      end.remove();
    },
  };
}

/** The nodes of a template. */
interface TemplateNodes {
  strings: TemplateStringsArray;
  /** Holds the nodes until they are inserted into their parent. */
  fragment: DocumentFragment;
  /** Each writes the value with the same index. */
  writers: ((value: unknown) => void)[];
}

/** Stands for a value in the text of a template. */
const VALUE = '\0';
/** Matches a tag, a value between two tags, or the text between them. */
const TOKEN = /<(\/?)([\w-]+)([^>]*?)(\/?)>|\0|[^<\0]+/g;
/** Matches an attribute: its name, and its text or its value. */
const ATTRIBUTE = /([^\s=]+)(?:="([^"]*)"|=(\0))?/g;
const SVG = 'http://www.w3.org/2000/svg';

function createNodes(strings: TemplateStringsArray): TemplateNodes {
  const fragment = new DocumentFragment();
  const writers: TemplateNodes['writers'] = [];
  let parent: Element | DocumentFragment = fragment;
  for (const [text, end, tag, attributes, isVoid] of strings.join(VALUE).matchAll(TOKEN)) {
    if (end) parent = parent.parentNode as typeof parent;
    else if (text === VALUE) {
      writers.push(createPlace(parent).set);
    } else if (!tag) parent.append(text);
    else {
      const isSvg: boolean = tag === 'svg' || (parent as Partial<Element>).namespaceURI === SVG;
      const element: Element = isSvg
        ? document.createElementNS(SVG, tag)
        : document.createElement(tag);
      for (const [, name, textValue = '', value] of attributes!.matchAll(ATTRIBUTE)) {
        if (value) writers.push(createAttributeWriter(element, name!));
        else element.setAttribute(name!, textValue);
      }
      parent.append(element);
      if (!isVoid) parent = element;
    }
  }
  return { strings, fragment, writers };
}

/** Returns a function that writes a changed value to an attribute, a property or an event listener. */
function createAttributeWriter(element: Element, name: string): (value: unknown) => void {
  const plainName = name.slice(1);
  let written: unknown = element; // Equal to no value.
  if (name[0] === '@') {
    element.addEventListener(plainName, (event) => {
      if (typeof written === 'function') written(event);
    });
  }
  return (value) => {
    if (value === written) return;
    written = value;
    if (name[0] === '.') Reflect.set(element, plainName, value);
    else if (name[0] === '?') element.toggleAttribute(plainName, value !== nothing && !!value);
    else if (value === nothing) element.removeAttribute(name);
    else if (name[0] !== '@') element.setAttribute(name, `${(value ?? '') as string}`);
  };
}
