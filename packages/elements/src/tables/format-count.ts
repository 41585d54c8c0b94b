const formats = new Map<string, Intl.NumberFormat>();

/** Formats a count in a language. Formatters are cached, because creating one is slow. */
export function formatCount(count: number, language: string): string {
  let format = formats.get(language);
  if (!format) formats.set(language, (format = new Intl.NumberFormat(language)));
  return format.format(count);
}
