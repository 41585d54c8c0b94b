import type { Context } from 'hono';

/** Values of the CSS property `color-scheme`. Pages have them in a meta element, which `framed.js` changes. */
export const COLOR_SCHEMES = { light: 'light', dark: 'dark', auto: 'light dark' };

export type Theme = keyof typeof COLOR_SCHEMES;

/** Whether a page is shown in a frame of another page. */
export const isFramed = (c: Context) => c.req.header('sec-fetch-dest') === 'iframe';

/** The theme in the query parameter; undefined if it is not a known theme. */
export function requestedTheme(c: Context): Theme | undefined {
  const requested = c.req.query('theme');
  return (['light', 'dark', 'auto'] as const).find((theme) => theme === requested);
}

/**
 * The theme of a page. Without a requested one it follows the visitor's system. In a frame it is light
 * instead, like the element itself, so that a light site never shows a dark box:
 * docs/decisions/0023-hosted-page.md
 */
export const themeOf = (c: Context): Theme => requestedTheme(c) ?? (isFramed(c) ? 'light' : 'auto');
