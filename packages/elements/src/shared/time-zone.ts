/** Whether the browser knows a time zone. A table asks at each update, and creating a format is slow. */
const isKnown: Record<string, boolean> = {};

/** The first time zone that the browser knows; undefined if it knows none. Browsers lack new names. */
export const findTimeZone = (...zones: (string | null | undefined)[]): string | undefined =>
  zones.find((zone): zone is string => !!zone && (isKnown[zone] ??= isTimeZone(zone)));

function isTimeZone(timeZone: string): boolean {
  try {
    return !!new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    return false;
  }
}
