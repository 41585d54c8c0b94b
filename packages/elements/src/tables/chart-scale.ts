/** About how many lines a reader can count at a glance. */
const LINES = 3;

/**
 * Round amounts for the lines behind a chart, from 0 to the first that nothing stands above.
 *
 * @param most the largest amount, in minor units
 */
export function linesFor(most: number): number[] {
  const rough = Math.max(1, most / LINES);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough)! * power;
  const count = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: count + 1 }, (_, line) => line * step);
}

/** Which of so many steps are named below: the ends, and some between at even distances. */
export function namedSteps(count: number, most = 5): number[] {
  const names = Math.min(count, most);
  if (names < 2) return names ? [0] : [];
  return Array.from({ length: names }, (_, at) => Math.round((at * (count - 1)) / (names - 1)));
}
