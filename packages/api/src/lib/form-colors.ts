import type { FormAppearance } from '@connect-embed/contract';
import {
  readableColor,
  type ColorRole,
  type ColorTheme,
  type FormColors,
} from './color-contrast.ts';

/** The settings of a form's colors. */
export const COLOR_SETTINGS = [
  { name: 'accent_color', theme: 'light', role: 'accent' },
  { name: 'background_color', theme: 'light', role: 'background' },
  { name: 'text_color', theme: 'light', role: 'text' },
  { name: 'accent_color_dark', theme: 'dark', role: 'accent' },
  { name: 'background_color_dark', theme: 'dark', role: 'background' },
  { name: 'text_color_dark', theme: 'dark', role: 'text' },
] as const satisfies { name: keyof FormAppearance; theme: ColorTheme; role: ColorRole }[];

export type ColorSetting = (typeof COLOR_SETTINGS)[number]['name'];
export type ColorSettings = Pick<FormAppearance, ColorSetting>;

/** Colors of a form without settings: `tokens.styles.ts` of the elements. */
export const DEFAULT_COLORS: Readonly<Record<ColorTheme, FormColors>> = {
  light: { accent: '#0b6b5b', background: '#ffffff', text: '#1c2328' },
  dark: { accent: '#6ad6bd', background: '#171b1f', text: '#eef2f4' },
};

export const themeAndRole = (name: ColorSetting) =>
  COLOR_SETTINGS.find((setting) => setting.name === name)!;

/** Returns the color of a form whose setting is empty. */
export function defaultColor(name: ColorSetting): string {
  const { theme, role } = themeAndRole(name);
  return DEFAULT_COLORS[theme][role];
}

/**
 * Returns the colors of a form in a theme. Without an accent color of the dark theme, it is that of the
 * light theme, made as light as the background requires.
 */
export function colorsOf(settings: ColorSettings, theme: ColorTheme): FormColors {
  const colors = { ...DEFAULT_COLORS[theme] };
  for (const { name, role, theme: of } of COLOR_SETTINGS) {
    const color = settings[name];
    if (of === theme && color) colors[role] = color;
  }
  const { accent_color, accent_color_dark } = settings;
  if (theme === 'light' || accent_color_dark || !accent_color) return colors;
  const accent = readableColor({ ...colors, accent: accent_color }, theme, 'accent');
  return { ...colors, accent: accent ?? colors.accent };
}
