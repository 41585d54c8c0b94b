/**
 * Converts a local time in a time zone to the moment in UTC.
 *
 * If daylight saving time skips the local time, the result is as much later as the clock goes forward: 02:30
 * becomes 03:30. If the local time occurs twice, the result is the first.
 *
 * @param localMs the local time as if it were UTC, in milliseconds
 * @param timeZone IANA name; the machine's time zone when absent
 * @returns milliseconds since the epoch
 */
export function instantFromLocal(localMs: number, timeZone?: string): number {
  const offsets = [localMs - DAY_MS, localMs + DAY_MS].map((instantMs) =>
    zoneOffsetMs(instantMs, timeZone),
  );
  const earlier = localMs - Math.max(...offsets);
  const later = localMs - Math.min(...offsets);
  return earlier + zoneOffsetMs(earlier, timeZone) === localMs ? earlier : later;
}

const DAY_MS = 86_400_000;

/**
 * Returns the offset of a time zone from UTC at a moment, in milliseconds; positive east of
 * Greenwich.
 */
export function zoneOffsetMs(instantMs: number, timeZone?: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instantMs);
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
  return localMs - Math.floor(instantMs / 1000) * 1000;
}
