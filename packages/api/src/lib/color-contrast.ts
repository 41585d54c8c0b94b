import Color from 'colorjs.io';

export type ColorTheme = 'light' | 'dark';

/** Colors of a form in one theme, such as `#0b6b5b`. All others are derived from them, or fixed. */
export interface FormColors {
  /** Of buttons and selected amounts. */
  accent: string;
  background: string;
  text: string;
}
export type ColorRole = keyof FormColors;

/** Lowest contrast ratios of texts and of controls with what is behind them (WCAG 2.2: 1.4.3, 1.4.11). */
export const TEXT_CONTRAST = 4.5;
export const CONTROL_CONTRAST = 3;

/** Two colors of a form that must contrast. */
interface Pair {
  /** The colors that the contrast depends on, first the one that a member should change. */
  roles: readonly ColorRole[];
  min: typeof TEXT_CONTRAST | typeof CONTROL_CONTRAST;
  measure: (colors: FormColors, theme: ColorTheme) => number;
}

/** The pairs, with the colors that `connect-donate.styles.ts` and `tokens.styles.ts` derive. */
const PAIRS = {
  label: {
    roles: ['accent'],
    min: TEXT_CONTRAST,
    measure: ({ accent }) => contrast(labelColor(accent), accent),
  },
  selected: {
    roles: ['accent', 'background'],
    min: TEXT_CONTRAST,
    measure: ({ accent, background }, theme) =>
      contrast(inkColor(accent, theme), mix(accent, 9, background)),
  },
  button: {
    roles: ['accent', 'background'],
    min: CONTROL_CONTRAST,
    measure: ({ accent, background }) => contrast(accent, background),
  },
  text: {
    roles: ['text', 'background'],
    min: TEXT_CONTRAST,
    measure: ({ text, background }) => contrast(text, background),
  },
  hints: {
    roles: ['text', 'background'],
    min: TEXT_CONTRAST,
    measure: ({ text, background }) => contrast(mix(text, 70, background), background),
  },
  outlines: {
    roles: ['text', 'background'],
    min: CONTROL_CONTRAST,
    measure: ({ text, background }) => contrast(mix(text, 54, background), background),
  },
  messages: {
    roles: ['background'],
    min: TEXT_CONTRAST,
    measure: ({ background }, theme) =>
      Math.min(...MESSAGE_COLORS[theme].map((color) => contrast(color, background))),
  },
} as const satisfies Record<string, Pair>;
export type PairName = keyof typeof PAIRS;

/** Colors of warnings and errors, which have no setting. */
const MESSAGE_COLORS = { light: ['#8a5300', '#b3261e'], dark: ['#f5c26b', '#ffb1a8'] } as const;

/** The measured contrast of a pair, as a ratio from 1 to 21. */
export interface Measurement extends Pair {
  name: PairName;
  ratio: number;
}

const pairsOf = (role: ColorRole) =>
  (Object.entries(PAIRS) as [PairName, Pair][]).filter(([, { roles }]) => roles.includes(role));

/** Measures the pairs that depend on one of the colors. */
export const measurePairs = (
  colors: FormColors,
  theme: ColorTheme,
  role: ColorRole,
): Measurement[] =>
  pairsOf(role).map(([name, pair]) => ({ name, ...pair, ratio: pair.measure(colors, theme) }));

const contrast = (color: Color | string, behind: Color | string) =>
  new Color(color).contrastWCAG21(behind);

/** Mixes two colors as `color-mix(in oklab, …)` does. */
const mix = (color: string, percent: number, other: string) =>
  new Color(other).mix(color, percent / 100, { space: 'oklab' });

/** The color of the label on a button: `--_on-primary` in `connect-donate.styles.ts`. */
export function labelColor(accent: string): Color {
  const lightness = Math.min(1, Math.max(0, (0.67 - (new Color(accent).oklch.l ?? 0)) * 1000));
  return new Color('oklch', [lightness, 0, 0]);
}

/** The accent color of texts and outlines: `--_ink` in `text.styles.ts`. */
function inkColor(accent: string, theme: ColorTheme): Color {
  const color = new Color(accent).to('oklch');
  color.l = theme === 'light' ? Math.min(color.l ?? 0, 0.52) : Math.max(color.l ?? 0, 0.74);
  return color.toGamut({ space: 'srgb', method: 'clip' });
}

/** Results of `readableColor`: a search takes some milliseconds, and each session can need one. */
const found = new Map<string, string | undefined>();
const MAX_FOUND = 1000;

/**
 * Finds the color of the same hue that is nearest in lightness and can be read with the other two: all
 * pairs that depend on it have enough contrast.
 *
 * @returns undefined if there is none
 */
export function readableColor(
  colors: FormColors,
  theme: ColorTheme,
  role: ColorRole,
): string | undefined {
  const key = JSON.stringify([colors, theme, role]);
  if (found.has(key)) return found.get(key);
  if (found.size >= MAX_FOUND) found.clear();
  const color = searchReadable(colors, theme, role);
  found.set(key, color);
  return color;
}

const STEP = 0.01;

function searchReadable(colors: FormColors, theme: ColorTheme, role: ColorRole) {
  const pairs = pairsOf(role);
  const [lightness = 0, chroma = 0, hue = 0] = new Color(colors[role]).to('oklch').coords;
  for (let distance = 0; distance <= 1; distance += STEP) {
    for (const l of [(lightness ?? 0) - distance, (lightness ?? 0) + distance]) {
      if (l < 0 || l > 1) continue;
      const color = new Color('oklch', [l, chroma, hue]).to('srgb').toGamut();
      const hex = color.toString({ format: 'hex', collapse: false });
      const changed = { ...colors, [role]: hex };
      if (pairs.every(([, { measure, min }]) => measure(changed, theme) >= min)) return hex;
    }
  }
  return undefined;
}
