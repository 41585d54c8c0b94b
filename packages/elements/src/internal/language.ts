/**
 * The language that an element stands in: the closest `lang`, also beyond shadow roots, else the
 * visitor's own. A tag that `Intl` would refuse is passed over.
 */
export function languageOf(element: Element): string {
  let at: Element | null = element;
  while (at) {
    const tag: string | undefined = at.closest('[lang]')?.getAttribute('lang')?.trim();
    if (tag && isLanguage(tag)) return tag;
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return isLanguage(navigator.language) ? navigator.language : 'en';
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
