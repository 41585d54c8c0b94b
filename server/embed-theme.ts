import type { Context } from 'hono';

const THEMES = ['light', 'dark', 'auto'] as const;

/**
 * Which of its two looks a page in a frame wears: what its address asks for, and light where nobody
 * said. So does the element on a page that does not say it can be dark, and a page that can says so.
 *
 * @returns undefined for a page by itself, which is as its visitor's system is
 */
export function resolveTheme(c: Context): (typeof THEMES)[number] | undefined {
  const asked = requestedTheme(c);
  return asked ?? (c.req.header('sec-fetch-dest') === 'iframe' ? 'light' : undefined);
}

/** What the address asks for; whatever is no theme is nothing. */
export const requestedTheme = (c: Context) =>
  THEMES.find((theme) => theme === c.req.query('theme'));
