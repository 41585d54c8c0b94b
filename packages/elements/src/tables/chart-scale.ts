/** Target number of grid lines above zero. More lines are hard to read. */
const TARGET_LINE_COUNT = 3;
/** Maximum number of periods that get a label on the axis. */
const MAX_LABELS = 5;

/**
 * Computes grid lines at round amounts, from 0 to the first line at or above the largest amount.
 *
 * @param maxCents the largest amount, in minor units
 * @returns amounts in minor units
 */
export function gridLines(maxCents: number): number[] {
  const roughStep = Math.max(1, maxCents / TARGET_LINE_COUNT);
  const magnitude = 10 ** Math.floor(Math.log10(roughStep));
  const step = [1, 2, 5, 10].find((factor) => factor * magnitude >= roughStep)! * magnitude;
  const count = Math.max(1, Math.ceil(maxCents / step));
  return Array.from({ length: count + 1 }, (_, line) => line * step);
}

/**
 * Returns the indexes of the periods that get a label on the axis: the first, the last, and some at
 * even distances between them.
 */
export function namedSteps(count: number): number[] {
  const names = Math.min(count, MAX_LABELS);
  if (names < 2) return names ? [0] : [];
  return Array.from({ length: names }, (_, at) => Math.round((at * (count - 1)) / (names - 1)));
}
