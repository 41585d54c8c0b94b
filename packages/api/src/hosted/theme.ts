import type { Context } from 'hono';

const THEMES = ['light', 'dark', 'auto'] as const;

/** How the hosted page looks where it stands. */
export interface Appearance {
  theme: (typeof THEMES)[number];
  /** The sites of which one has the page in a frame; undefined where it stands by itself. */
  framedBy: readonly string[] | undefined;
}

/**
 * By itself the page is as its visitor's system is. In a frame it is as the site around it says, and
 * light where that says nothing, as the element is on such a page: a dark box on a light site is
 * nobody's wish. docs/decisions/0053-hosted-page-in-frames.md
 */
export function readAppearance(c: Context, sites: readonly string[]): Appearance {
  const framedBy = c.req.header('sec-fetch-dest') === 'iframe' ? sites : undefined;
  const asked = THEMES.find((theme) => theme === c.req.query('theme'));
  return { framedBy, theme: asked ?? (framedBy ? 'light' : 'auto') };
}
