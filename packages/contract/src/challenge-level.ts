/**
 * Highest level of the proof of work that donors solve during card testing. A phone takes up to 16
 * seconds for it; at a higher level donors would leave.
 */
export const MAX_LEVEL = 6;

/**
 * Highest level for a counter that many donors share, such as that of a form, so that they wait
 * only for a moment.
 */
export const SHARED_MAX_LEVEL = 2;

/** Level for every donation to an organization in attack mode (card testing on its forms). */
export const ATTACK_LEVEL = 2;

/**
 * Converts a number of attempts into a level of the proof of work: 0 up to `free` attempts, then 1
 * more each time the attempts double.
 */
export function challengeLevel(
  attempts: number,
  free: number,
  maxLevel: number = MAX_LEVEL,
): number {
  if (attempts <= free) return 0;
  return Math.min(maxLevel, 1 + Math.floor(Math.log2((attempts - 1) / free)));
}
