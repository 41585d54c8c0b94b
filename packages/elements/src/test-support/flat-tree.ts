/**
 * The page as it is composed, in one tree without shadow roots: what a screen reader meets.
 *
 * The reader that tests use knows no shadow roots, so each is written out, with what stands in its
 * slots; what lives in properties only (ticks, values) becomes attributes.
 */
export function flatTree(node: Node): Node[] {
  if (node instanceof HTMLStyleElement) return [];
  if (node instanceof HTMLSlotElement) {
    const assigned = node.assignedNodes();
    return (assigned.length ? assigned : [...node.childNodes]).flatMap(flatTree);
  }
  const copy = node.cloneNode(false);
  if (!(node instanceof Element)) return [copy];
  const inside = [...(node.shadowRoot ?? node).childNodes].flatMap(flatTree);
  const flat = copy as Element;
  flat.append(...inside);
  if (node instanceof HTMLInputElement) {
    flat.toggleAttribute('checked', node.checked);
    if (node.type !== 'radio') flat.setAttribute('value', node.value);
  }
  return [flat];
}
