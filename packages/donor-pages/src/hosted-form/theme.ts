import type { Context } from 'hono';

const THEMES = ['light', 'dark', 'auto'] as const;

/** The theme of the hosted page, and whether it is framed. */
export interface Appearance {
  theme: (typeof THEMES)[number];
  /** The sites that may frame the page; undefined if it is not in a frame. */
  framedBy: readonly string[] | undefined;
}

/**
 * Reads the theme of the page from the `theme` parameter. Without one the page follows the
 * visitor's system. In a frame it is then light instead, like the element itself, so that a light
 * site never shows a dark box: docs/decisions/0023-hosted-page.md
 */
export function readAppearance(c: Context, sites: readonly string[]): Appearance {
  const framedBy = c.req.header('sec-fetch-dest') === 'iframe' ? sites : undefined;
  const requestedTheme = THEMES.find((theme) => theme === c.req.query('theme'));
  return { framedBy, theme: requestedTheme ?? (framedBy ? 'light' : 'auto') };
}
