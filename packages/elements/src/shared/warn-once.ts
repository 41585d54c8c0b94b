const warned = new Set<string>();

/** Logs a warning about an invalid attribute, once per value. */
export function warnOnce(element: HTMLElement, attribute: string, value: string, allowed: string) {
  const text = `<${element.localName}> ${attribute}="${value}": must be ${allowed}.`;
  if (warned.has(text)) return;
  warned.add(text);
  console.warn(text);
}

/** Warns about a property that is set to none of the allowed values. */
export function warnUnlessOneOf<Name extends string>(
  element: HTMLElement & Partial<Record<Name, string | null>>,
  name: Name,
  allowed: readonly string[],
) {
  const value = element[name];
  if (value && !allowed.includes(value))
    warnOnce(element, name, value, `one of ${allowed.join(', ')}`);
}

/** Warns about a property that is set, but not to an object. JSON that cannot be parsed leaves it null. */
export function warnUnlessObject<Name extends string>(
  element: HTMLElement & Partial<Record<Name, unknown>>,
  name: Name,
) {
  const value: unknown = element[name] ?? element.getAttribute(name);
  if (value && (typeof value !== 'object' || Array.isArray(value)))
    warnOnce(element, name, `${value as string}`, 'a JSON object');
}
