import Color from 'colorjs.io';

/** Background of a form in each theme, as in `tokens.styles.ts` of the elements. */
const BACKGROUNDS = { light: '#ffffff', dark: '#171b1f' } as const;
export type AccentTheme = keyof typeof BACKGROUNDS;

/** Lowest contrast of a label with its button, and of a button with the form (WCAG 2.2: 1.4.3, 1.4.11). */
export const MIN_LABEL_CONTRAST = 4.5;
export const MIN_BUTTON_CONTRAST = 3;

/** Contrast ratios of an accent color, from 1 to 21. */
export interface AccentContrast {
  /** Of the label with the button that has this color. */
  label: number;
  /** Of the button with the background of the form. */
  button: number;
}

/**
 * Measures the contrasts of an accent color.
 *
 * @param accent a color such as `#0b6b5b`
 */
export function measureAccent(accent: string, theme: AccentTheme): AccentContrast {
  const color = new Color(accent);
  return {
    label: color.contrastWCAG21(labelColor(color)),
    button: color.contrastWCAG21(BACKGROUNDS[theme]),
  };
}

/**
 * The color of the label on a button, which the element derives from the lightness of the button:
 * `--_on-primary` in `connect-donate.styles.ts`.
 */
function labelColor(accent: Color): Color {
  const lightness = Math.min(1, Math.max(0, (0.67 - (accent.oklch.l ?? 0)) * 1000));
  return new Color('oklch', [lightness, 0, 0]);
}

/** Results of `readableAccent` by theme and color: a search takes some milliseconds, and each session needs it. */
const found = new Map<string, string>();
const MAX_FOUND = 1000;

/**
 * Returns the color itself if it is readable in the theme, else the nearest one of the same hue that
 * is: darker in the light theme, lighter in the dark one.
 *
 * @returns a color such as `#0b6b5b`
 */
export function readableAccent(accent: string, theme: AccentTheme): string {
  const key = `${theme} ${accent}`;
  const known = found.get(key);
  if (known) return known;
  if (found.size >= MAX_FOUND) found.clear();
  const color = searchReadable(accent, theme);
  found.set(key, color);
  return color;
}

function searchReadable(accent: string, theme: AccentTheme): string {
  const color = new Color(accent).to('oklch');
  const step = theme === 'light' ? -0.005 : 0.005;
  for (let lightness = color.l ?? 0; lightness >= 0 && lightness <= 1; lightness += step) {
    color.l = lightness;
    const hex = color.to('srgb').toGamut().toString({ format: 'hex', collapse: false });
    const { label, button } = measureAccent(hex, theme);
    if (label >= MIN_LABEL_CONTRAST && button >= MIN_BUTTON_CONTRAST) return hex;
  }
  return theme === 'light' ? '#000000' : '#ffffff';
}
