/** Yields all permutations of a list. */
export function* permutations<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length < 2) return yield [...items];
  for (const [index, first] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [first, ...rest];
  }
}
