/** About how many lines a reader can count at a glance. */
const TARGET_LINE_COUNT = 3;

/**
 * Round amounts for the lines behind a chart, from 0 to the first that nothing stands above.
 *
 * @param maxCents the largest amount, in minor units
 */
export function gridLines(maxCents: number): number[] {
  const roughStep = Math.max(1, maxCents / TARGET_LINE_COUNT);
  const magnitude = 10 ** Math.floor(Math.log10(roughStep));
  const step = [1, 2, 5, 10].find((factor) => factor * magnitude >= roughStep)! * magnitude;
  const count = Math.max(1, Math.ceil(maxCents / step));
  return Array.from({ length: count + 1 }, (_, line) => line * step);
}

/** Which of so many steps are named below: the ends, and some between at even distances. */
export function namedSteps(count: number, most = 5): number[] {
  const names = Math.min(count, most);
  if (names < 2) return names ? [0] : [];
  return Array.from({ length: names }, (_, at) => Math.round((at * (count - 1)) / (names - 1)));
}
