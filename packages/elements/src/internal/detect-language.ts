/**
 * What the element says itself; else the language that it stands in: the closest `lang`, also beyond
 * shadow roots; else the visitor's own. A tag that `Intl` would refuse is passed over.
 */
export function detectLanguage(element: Element & { locale?: string }): string {
  const tags = [element.locale];
  for (let at = element as Element | undefined; at; at = (at.getRootNode() as ShadowRoot).host) {
    tags.push(at.closest('[lang]')?.getAttribute('lang') ?? '');
  }
  for (const tag of [...tags, navigator.language].filter(Boolean)) {
    try {
      return `${new Intl.Locale(tag!.trim())}`;
    } catch {
      // Not a language.
    }
  }
  return 'en';
}
