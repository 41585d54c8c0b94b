/** Beyond this a phone would work for a quarter of a minute, and a donor would leave. */
export const MAX_LEVEL = 6;

/** What many share ends at this level: donors of an attacked form wait a moment, not a minute. */
export const SHARED_MAX_LEVEL = 2;

/** While cards are being tested on an organization's forms, every gift to it costs so much work. */
export const ATTACK_LEVEL = 2;

/**
 * How hard something is being tried, as a level of work: 0 within what is free, and one more each
 * time the tries double beyond it.
 */
export function challengeLevel(
  attempts: number,
  free: number,
  maxLevel: number = MAX_LEVEL,
): number {
  if (attempts <= free) return 0;
  return Math.min(maxLevel, 1 + Math.floor(Math.log2((attempts - 1) / free)));
}
