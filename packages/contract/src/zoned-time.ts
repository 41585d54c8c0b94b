/**
 * The moment at which the clock of a time zone shows a local time.
 *
 * A local time that a change of the clock leaves out is the moment of that change: midnight is 01:00
 * where a day begins at 01:00. Of a local time that occurs twice, the first is taken.
 *
 * @param localMs the local time as if it were UTC, in milliseconds
 * @param timeZone an IANA name; the machine's zone where it is left out
 */
export function instantFromLocal(localMs: number, timeZone?: string): number {
  const offsets = [localMs - DAY_MS, localMs + DAY_MS].map((at) => zoneOffsetMs(at, timeZone));
  const earlier = localMs - Math.max(...offsets);
  const later = localMs - Math.min(...offsets);
  return earlier + zoneOffsetMs(earlier, timeZone) === localMs ? earlier : later;
}

const DAY_MS = 86_400_000;

/** How far the clock of a time zone is ahead of UTC at a moment, in milliseconds. */
export function zoneOffsetMs(at: number, timeZone?: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((item) => item.type === type)?.value);
  const localMs = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return localMs - Math.floor(at / 1000) * 1000;
}
