import type { Context } from 'hono';
import { isFramed, themeOf, type Theme } from '../page/theme.ts';

/** The theme of the hosted page, and whether it is framed. */
export interface Appearance {
  theme: Theme;
  /** The sites that may frame the page; undefined if it is not in a frame. */
  framedBy: readonly string[] | undefined;
}

/** @param sites the sites that may frame the page */
export const readAppearance = (c: Context, sites: readonly string[]): Appearance => ({
  theme: themeOf(c),
  framedBy: isFramed(c) ? sites : undefined,
});
