/**
 * Remembers what a function returned for the arguments that were used last.
 *
 * @param keyOf arguments of one key have one value
 * @param most how many values are remembered
 */
export function memoizeLatest<Argument, Value>(
  make: (argument: Argument) => Value,
  keyOf: (argument: Argument) => string,
  most: number,
): (argument: Argument) => Value {
  const latest = new Map<string, Value>(); // In the order of their last use.
  return (argument) => {
    const key = keyOf(argument);
    const value = latest.has(key) ? latest.get(key)! : make(argument);
    latest.delete(key);
    latest.set(key, value);
    if (latest.size > most) latest.delete(latest.keys().next().value!);
    return value;
  };
}
