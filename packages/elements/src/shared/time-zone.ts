/** The first time zone that the browser knows; undefined if it knows none. Browsers lack new names. */
export const findTimeZone = (...zones: (string | null | undefined)[]): string | undefined =>
  zones.find((timeZone): timeZone is string => {
    try {
      return !!timeZone && !!new Intl.DateTimeFormat('en', { timeZone });
    } catch {
      return false;
    }
  });
