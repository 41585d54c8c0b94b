/**
 * A place in the page's light DOM that is drawn inside an element.
 *
 * The processor's fields refuse to live in a shadow root. So a `div` stands in the outermost host's
 * light DOM and a relay `<slot name=N slot=N>` hands it down, level by level, to the slot of that
 * name in our own shadow root: docs/decisions/0015-card-in-light-dom.md
 */
export class MountPoint {
  readonly name: string;
  readonly div = document.createElement('div');
  /** Sees what the processor puts into the place, and how it wants that to look. */
  readonly #styleObserver = new MutationObserver(() => forceStyles(this.div));
  readonly #removalObserver = new MutationObserver(() => this.#checkAttached());
  readonly #onRemoved: () => void;
  /** The place and its relays, each with the parent that it was appended to. */
  #attached: [node: Element, parent: Element][] = [];

  /** @param onRemoved called when the page has taken out what `attach` had put in */
  constructor(name: string, onRemoved = () => {}) {
    this.name = name;
    this.div.slot = name;
    this.#onRemoved = onRemoved;
    activeDivs.add(this.div);
  }

  /** Takes out places that nobody owns: a page that copied an element copied its place, too. */
  removeOrphans(host: Element) {
    for (let at: Element | undefined = host; at; at = hostOf(at)) {
      for (const child of [...at.children]) {
        if (
          /^connect-card-/.test(child.slot) &&
          child.localName === 'div' &&
          !activeDivs.has(child)
        ) {
          detachNode(child);
        }
      }
    }
  }

  /** Puts the place into the page; `host` is the element with the slot and is connected. */
  attach(host: Element) {
    let at = host;
    for (let next = hostOf(at); next; next = hostOf(at)) {
      const relay = document.createElement('slot');
      relay.name = relay.slot = this.name;
      this.#append(relay, at);
      at = next;
    }
    this.div.slot = this.name;
    this.#append(this.div, at);
    this.div.style.setProperty('display', 'block', 'important');
    this.#styleObserver.observe(this.div, {
      childList: true,
      subtree: true,
      attributeFilter: ['style'],
    });
  }

  /** Takes everything out again; the place may be attached anew elsewhere. */
  detach() {
    this.#styleObserver.disconnect();
    this.#removalObserver.disconnect();
    for (const [node] of this.#attached.splice(0)) detachNode(node);
  }

  #append(node: Element, parent: Element) {
    parent.append(node);
    this.#attached.push([node, parent]);
    this.#removalObserver.observe(parent, { childList: true });
    this.#removalObserver.observe(node, { attributeFilter: ['slot'] });
  }

  /** Libraries that morph a page remove, or reuse for their own content, what its source does not have. */
  #checkAttached() {
    const isIntact = ([node, parent]: [Element, Element]) =>
      node.parentNode === parent && node.slot === this.name;
    if (!this.#attached.every(isIntact)) this.#onRemoved();
  }
}

/** Places that are somebody's, all over the page. */
const activeDivs = new WeakSet<Element>();

const hostOf = (element: Element): Element | undefined => {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : undefined;
};

/** Not `remove()`: libraries that put their own in its place let it throw outside of a page. */
const detachNode = (node: Node) => void node.parentNode?.removeChild(node);

/**
 * What the processor says of its frames' looks, said so that no style sheet of the page overrules
 * it: `* { all: unset !important }` would leave the card 300 pixels wide.
 */
function forceStyles(place: Element) {
  for (const { style } of place.querySelectorAll('iframe')) {
    for (const property of [...style]) {
      if (style.getPropertyPriority(property)) continue;
      style.setProperty(property, style.getPropertyValue(property), 'important');
    }
  }
}
