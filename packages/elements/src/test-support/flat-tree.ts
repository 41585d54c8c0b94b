/**
 * Copies a tree with all shadow roots flattened into it, as assistive technology sees it.
 *
 * The screen reader simulator in the tests does not support shadow roots, so their content is
 * written out, with slots replaced by their assigned nodes. State that is only in properties
 * (checked, value) becomes attributes.
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
