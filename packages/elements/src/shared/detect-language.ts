/**
 * The language of an element: its `locale`; else the closest `lang` attribute, also across shadow
 * roots; else the visitor's browser language. `de_DE` is read as `de-DE`; invalid tags are skipped. `en`
 * if none is valid.
 */
export function detectLanguage(element: Element & { locale?: string }): string {
  const tags = [element.locale];
  for (let at = element as Element | undefined; at; at = (at.getRootNode() as ShadowRoot).host) {
    tags.push(at.closest('[lang]')?.getAttribute('lang') ?? '');
  }
  for (const tag of [...tags, navigator.language].filter(Boolean)) {
    try {
      return `${new Intl.Locale(tag!.trim().replaceAll('_', '-'))}`;
    } catch {
      // Not a valid language tag.
    }
  }
  return 'en';
}
