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
  #relays: HTMLSlotElement[] = [];

  constructor(name: string) {
    this.name = name;
    this.div.slot = name;
  }

  /** Puts the place into the page; `host` is the element with the slot and is connected. */
  attach(host: Element) {
    let at = host;
    for (let root = at.getRootNode(); root instanceof ShadowRoot; root = at.getRootNode()) {
      const relay = document.createElement('slot');
      relay.name = relay.slot = this.name;
      at.append(relay);
      this.#relays.push(relay);
      at = root.host;
    }
    at.append(this.div);
  }

  /** Takes everything out again; the place may be attached anew elsewhere. */
  detach() {
    this.div.remove();
    for (const relay of this.#relays.splice(0)) relay.remove();
  }
}
