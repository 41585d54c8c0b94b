/** Registers tags. A page may bring the code twice: the first copy wins and nothing throws. */
export function define(elements: Record<string, CustomElementConstructor>) {
  for (const [tag, element] of Object.entries(elements)) {
    if (!customElements.get(tag)) customElements.define(tag, element);
  }
}
