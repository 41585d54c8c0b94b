import { instantFromLocal, zoneOffsetMs } from '@connect-embed/contract/zoned-time';

/**
 * Pattern of a local time. The year must have four digits without a leading zero, because browsers
 * send the two-digit year 26 as 0026.
 */
const LOCAL_TIME_PATTERN = /^([1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2})(?::00)?$/;

/**
 * Converts the value of an `<input type="datetime-local">` to an instant.
 *
 * @param local `2027-01-31T18:30`
 * @param zone IANA time zone name
 * @returns undefined if the time does not exist (30 February) or the time zone is unknown
 */
export function instantOfInput(local: string, zone: string): Date | undefined {
  const text = LOCAL_TIME_PATTERN.exec(local)?.[1];
  if (text === undefined || !isTimeZone(zone)) return undefined;
  const asUtc = new Date(`${text}Z`);
  // `Date` accepts 30 February as 2 March. Such input does not format back to the same text.
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 16) !== text) return undefined;
  const instant = new Date(instantFromLocal(asUtc.getTime(), zone));
  return instant.getUTCFullYear() > 9999 ? undefined : instant; // ISO 8601 years have four digits.
}

/**
 * Formats a time as the local time in a zone, as the value of a form field. This is the inverse of
 * `instantOfInput`.
 */
export const localTimeText = (date: Date, zone: string): string =>
  new Date(date.getTime() + zoneOffsetMs(date.getTime(), zone)).toISOString().slice(0, 16);

/**
 * Returns whether `zone` is the name of an IANA time zone, current or former. An offset such as
 * `+05:30` is not one, because it ignores daylight saving time.
 */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Z]/i.test(zone)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
