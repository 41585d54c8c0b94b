import { instantFromLocal, zoneOffsetMs } from '@connect-embed/contract/zoned-time';

/** Who types two figures of a year into a browser's field sends the year 26, and means another. */
const LOCAL = /^([1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2})(?::00)?$/;

/**
 * The moment at which the clock of a zone shows a local time, as `<input type="datetime-local">`
 * writes it.
 *
 * @param local `2027-01-31T18:30`
 * @param zone an IANA name
 * @returns undefined when that is no time (30 February), or no zone
 */
export function instantOfInput(local: string, zone: string): Date | undefined {
  const text = LOCAL.exec(local)?.[1];
  if (text === undefined || !isTimeZone(zone)) return undefined;
  const asUtc = new Date(`${text}Z`);
  // What does not come back as it was written rolled over: 30 February is 2 March.
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 16) !== text) return undefined;
  const instant = new Date(instantFromLocal(asUtc.getTime(), zone));
  return instant.getUTCFullYear() > 9999 ? undefined : instant; // As ISO 8601 writes years.
}

/** The same backwards: what the clock of a zone shows, for a form. */
export const localTimeText = (date: Date, zone: string): string =>
  new Date(date.getTime() + zoneOffsetMs(date.getTime(), zone)).toISOString().slice(0, 16);

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone !== '';
  } catch {
    return false;
  }
}
