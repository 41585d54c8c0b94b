/**
 * Returns the names of all fields of a JSON value, such as `.data[].id`. For an array, the fields of all
 * elements are combined. Two values with the same names have the same structure.
 */
export function fieldNames(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    return [...new Set(value.flatMap((element) => fieldNames(element, `${path}[]`)))].sort();
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value)
    .flatMap(([name, field]) => [`${path}.${name}`, ...fieldNames(field, `${path}.${name}`)])
    .sort();
}
