import type { Context } from 'hono';

/** Whether a page is shown in a frame of another page. */
export const isFramed = (c: Context) => c.req.header('sec-fetch-dest') === 'iframe';

const THEMES = ['light', 'dark', 'auto'] as const;

/** The theme in the query parameter; undefined if it is not a known theme. */
export const requestedTheme = (c: Context) =>
  THEMES.find((theme) => theme === c.req.query('theme'));

/**
 * The color scheme of a page without a requested theme is light in a frame, and that of the system
 * otherwise. The elements have the same default: they are dark only on a page that declares support
 * for dark.
 */
export function colorScheme(c: Context): string {
  const theme = requestedTheme(c) ?? (isFramed(c) ? 'light' : 'auto');
  return theme === 'auto' ? 'light dark' : theme;
}
