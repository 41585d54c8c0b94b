/**
 * Defines custom elements, except those that are already defined: a page may load the code twice. The
 * npm package does nothing on a server (SSR), which has no registry: `packages/publish/elements-package.ts`.
 */
export function define(elements: Record<string, CustomElementConstructor>) {
  for (const [tag, element] of Object.entries(elements)) {
    if (!customElements.get(tag)) customElements.define(tag, element);
  }
}
