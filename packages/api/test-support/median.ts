/** The middle value of figures, which one slow round does not change. */
export function median(values: readonly number[]): number {
  return values.toSorted((first, second) => first - second)[Math.floor(values.length / 2)]!;
}
