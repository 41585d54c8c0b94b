/** Who types two figures of a year into a browser's field sends the year 26, and means another. */
const LOCAL = /^([1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2})(?::00)?$/;

/**
 * The moment at which the clock of a zone shows a local time, as `<input type="datetime-local">`
 * writes it. Of an hour that occurs twice, one is taken; one that is skipped moves on by an hour.
 *
 * @param local `2027-01-31T18:30`
 * @param zone an IANA name
 * @returns undefined when that is no time (30 February), or no zone
 */
export function instantOf(local: string, zone: string): Date | undefined {
  const text = LOCAL.exec(local)?.[1];
  if (text === undefined || !isZone(zone)) return undefined;
  const asUtc = new Date(`${text}Z`);
  // What does not come back as it was written rolled over: 30 February is 2 March.
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 16) !== text) return undefined;
  const guess = asUtc.getTime() - offsetMs(asUtc.getTime(), zone);
  const instant = new Date(asUtc.getTime() - offsetMs(guess, zone));
  return instant.getUTCFullYear() > 9999 ? undefined : instant; // As ISO 8601 writes years.
}

/** The same backwards: what the clock of a zone shows, for a form. */
export const localText = (date: Date, zone: string): string =>
  new Date(date.getTime() + offsetMs(date.getTime(), zone)).toISOString().slice(0, 16);

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone !== '';
  } catch {
    return false;
  }
}

/** How far a zone's clock is ahead of UTC at a moment. */
function offsetMs(at: number, zone: string): number {
  const shown = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(shown.find((piece) => piece.type === type)?.value);
  const asUtc = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return asUtc - Math.floor(at / 1000) * 1000;
}
