/**
 * Caches the results of a function for its most recently used arguments (LRU cache).
 *
 * @param keyOf arguments with the same key have the same result
 * @param maxEntries maximum number of cached results
 */
export function memoizeLatest<Argument, Value>(
  make: (argument: Argument) => Value,
  keyOf: (argument: Argument) => string,
  maxEntries: number,
): (argument: Argument) => Value {
  const latest = new Map<string, Value>(); // In order of last use.
  return (argument) => {
    const key = keyOf(argument);
    const value = latest.has(key) ? latest.get(key)! : make(argument);
    latest.delete(key);
    latest.set(key, value);
    if (latest.size > maxEntries) latest.delete(latest.keys().next().value!);
    return value;
  };
}
