/**
 * A container in the page's light DOM that appears inside an element's shadow root.
 *
 * Stripe's fields cannot be mounted in a shadow root. So a `div` is added to the light DOM of the
 * outermost host, and a `<slot name=N slot=N>` at each level passes it down to the slot with that
 * name in our shadow root: docs/decisions/0015-card-fields-and-wallets.md
 */
export class MountPoint {
  readonly name: string;
  readonly div = document.createElement('div');
  /** Observes Stripe's iframes in the container, to apply `forceStyles` to them. */
  readonly #styleObserver = new MutationObserver(() => forceStyles(this.div));
  readonly #removalObserver = new MutationObserver(() => this.#checkAttached());
  readonly #onRemoved: () => void;
  /** The container and the relay slots, each with the parent that it was appended to, beginning at our element. */
  #attached: [node: Element, parent: Element][] = [];

  /** @param onRemoved called when the page removes a node that `attach` has added */
  constructor(name: string, onRemoved = () => {}) {
    this.name = name;
    this.div.slot = name;
    this.#onRemoved = onRemoved;
    activeDivs.add(this.div);
  }

  /** Removes containers without an owner: cloning an element clones its container, too. */
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

  /** Adds the container to the page. `host` is the connected element that has the slot. */
  attach(host: Element) {
    withoutSizeContainers(host.shadowRoot!, () => this.#attach(host));
    this.#styleObserver.observe(this.div, {
      childList: true,
      subtree: true,
      attributeFilter: ['style'],
    });
  }

  #attach(host: Element) {
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
  }

  /** Removes the container and the relay slots. They can be attached again elsewhere. */
  detach() {
    this.#styleObserver.disconnect();
    this.#removalObserver.disconnect();
    const [first] = this.#attached;
    if (!first) return;
    const [, host] = first;
    withoutSizeContainers(host.shadowRoot!, () => {
      for (const [node] of this.#attached.splice(0)) detachNode(node);
    });
  }

  #append(node: Element, parent: Element) {
    parent.append(node);
    this.#attached.push([node, parent]);
    this.#removalObserver.observe(parent, { childList: true });
    this.#removalObserver.observe(node, { attributeFilter: ['slot'] });
  }

  /**
   * Calls `onRemoved` if a node is gone: libraries that morph a page remove or reuse nodes that the
   * page's source does not contain.
   */
  #checkAttached() {
    const isIntact = ([node, parent]: [Element, Element]) =>
      node.parentNode === parent && node.slot === this.name;
    if (!this.#attached.every(isIntact)) this.#onRemoved();
  }
}

/** The containers of all elements on the page. */
const activeDivs = new WeakSet<Element>();

/** The element whose shadow root contains an element. */
export const hostOf = (element: Element): Element | undefined => {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : undefined;
};

const NO_SIZE_CONTAINERS = new CSSStyleSheet();
NO_SIZE_CONTAINERS.replaceSync(':host, dialog { container-type: normal !important }');

/**
 * Changes what a slot shows while the form and its dialog are not size containers. When the nodes of a slot
 * change, WebKit lays out the size containers around it without their content first, so that the page or the
 * dialog would scroll away under the donor's finger.
 */
function withoutSizeContainers(root: ShadowRoot, change: () => void) {
  root.adoptedStyleSheets.push(NO_SIZE_CONTAINERS);
  change();
  root.host.getBoundingClientRect(); // The browser lays out the page now.
  root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => sheet !== NO_SIZE_CONTAINERS);
}

/** Not `remove()`: some libraries replace it with a version that throws outside of a document. */
const detachNode = (node: Node) => void node.parentNode?.removeChild(node);

/**
 * Marks the inline styles of Stripe's iframes as important, so that no style sheet of the page
 * overrides them: `* { all: unset !important }` would make the payment fields 300 pixels wide.
 */
function forceStyles(div: Element) {
  for (const { style } of div.querySelectorAll('iframe')) {
    for (const property of [...style]) {
      if (style.getPropertyPriority(property)) continue;
      style.setProperty(property, style.getPropertyValue(property), 'important');
    }
  }
}
