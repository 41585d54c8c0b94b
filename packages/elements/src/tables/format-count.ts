const formats = new Map<string, Intl.NumberFormat>();

/** A count as people of a language write it; formats are slow to make, each is made once. */
export function formatCount(count: number, language: string): string {
  let format = formats.get(language);
  if (!format) formats.set(language, (format = new Intl.NumberFormat(language)));
  return format.format(count);
}
