/**
 * Caches the results of a function for its most recently used arguments (LRU cache).
 *
 * @param keyOf returns the cache key; arguments with the same key have the same result
 * @param maxEntries maximum number of cached results
 */
export function memoizeLatest<Argument, Value>(
  create: (argument: Argument) => Value,
  keyOf: (argument: Argument) => string,
  maxEntries: number,
): (argument: Argument) => Value {
  const cache = new Map<string, Value>(); // The entries are in the order of their last use.
  return (argument) => {
    const key = keyOf(argument);
    const value = cache.has(key) ? cache.get(key)! : create(argument);
    cache.delete(key);
    cache.set(key, value);
    if (cache.size > maxEntries) cache.delete(cache.keys().next().value!);
    return value;
  };
}
