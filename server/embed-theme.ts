import type { Context } from 'hono';

const THEMES = ['light', 'dark', 'auto'] as const;

/**
 * The theme of a hosted page in a frame: the `theme` query parameter, or light by default. This is
 * the default of the elements too: they are dark only where the page says that it supports dark.
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
