import type { Context } from 'hono';

const THEMES = ['light', 'dark', 'auto'] as const;

/**
 * The theme of a hosted page in a frame: the `theme` query parameter, or light by default. The
 * elements have the same default: they are dark only on a page that declares support for dark.
 *
 * @returns undefined for a page outside a frame, which follows the system's color scheme
 */
export function resolveTheme(c: Context): (typeof THEMES)[number] | undefined {
  const requested = requestedTheme(c);
  return requested ?? (c.req.header('sec-fetch-dest') === 'iframe' ? 'light' : undefined);
}

/** The theme in the query parameter; undefined if it is not a known theme. */
export const requestedTheme = (c: Context) =>
  THEMES.find((theme) => theme === c.req.query('theme'));
