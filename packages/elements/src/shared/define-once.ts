/**
 * Defines custom elements, except those that are already defined: a page may load the code twice. A
 * server (SSR) has no registry; it renders only the tags.
 */
export function define(elements: Record<string, CustomElementConstructor>) {
  const registry = globalThis.customElements as CustomElementRegistry | undefined;
  for (const [tag, element] of Object.entries(elements)) {
    if (!registry?.get(tag)) registry?.define(tag, element);
  }
}
