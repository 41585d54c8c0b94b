import {
  CONTROL_CONTRAST,
  measurePairs,
  readableColor,
  TEXT_CONTRAST,
  type Measurement,
  type PairName,
} from '@connect-embed/api/lib/color-contrast';
import {
  COLOR_SETTINGS,
  colorsOf,
  themeAndRole,
  type ColorSetting,
  type ColorSettings,
} from '@connect-embed/api/lib/form-colors';
import { parseColor, type FormState } from '../pages/fields.ts';

/** What would be wrong if a pair had too little contrast. */
const PROBLEMS: Readonly<Record<PairName, string>> = {
  label: 'The label of buttons would be hard to read',
  selected: 'Selected amounts and links would be hard to read',
  button: 'Buttons stand out little from the form',
  text: 'Text would be hard to read',
  hints: 'Hints, which are fainter than other text, would be hard to read',
  outlines: 'The outlines of fields would be hard to see',
  messages: 'Error messages would be hard to read',
};

/** Rounded down, so that a ratio below a limit never looks as if it reached it. */
const ratioText = (ratio: number) => `${Math.floor(ratio * 10) / 10}:1`;

const isInsufficient = ({ ratio, min }: Measurement) => ratio < min;

/** A button with little contrast is only a warning, because its label and shape remain recognizable. */
const isRequired = ({ name }: Measurement) => name !== 'button';

/** Returns why an entered color cannot be saved: donors could not read or see something. */
export function colorProblem(settings: ColorSettings, name: ColorSetting): string | undefined {
  const problem = measureSetting(settings, name).filter(isRequired).find(isInsufficient);
  if (!problem) return undefined;
  const similar = similarColor(settings, name);
  return `${contrastText(problem)} is required.${similar && ` A similar color that works is ${similar}.`}`;
}

/** Returns the measured contrasts of an entered color; empty if there is no valid color. */
export function colorNote(form: FormState, name: ColorSetting): string {
  const settings = Object.fromEntries(
    COLOR_SETTINGS.map((setting) => [setting.name, parseColor(form.value(setting.name)) ?? null]),
  ) as ColorSettings;
  const problem = colorProblem(settings, name);
  if (problem) return problem;
  const measured = measureSetting(settings, name);
  const faint = measured.find(isInsufficient);
  if (faint) {
    const similar = similarColor(settings, name);
    return `${contrastText(faint)} is recommended${similar && `, such as ${similar}`}.`;
  }
  const parts = [
    lowestText('texts', measured, TEXT_CONTRAST),
    lowestText('buttons and fields', measured, CONTROL_CONTRAST),
  ].filter(Boolean);
  return parts.length > 0 ? `Easy to read. Lowest contrast ${parts.join(', ')}.` : '';
}

const contrastText = ({ name, ratio, min }: Measurement) =>
  `${PROBLEMS[name]}: the contrast is ${ratioText(ratio)}, and ${ratioText(min)}`;

/** Returns the lowest contrast of the pairs with a limit; empty if there are none. */
function lowestText(what: string, measured: readonly Measurement[], limit: number): string {
  const ratios = measured.filter(({ min }) => min === limit).map(({ ratio }) => ratio);
  return ratios.length > 0 ? `of ${what} ${ratioText(Math.min(...ratios))}` : '';
}

/**
 * Measures the pairs for which a setting is responsible: those of its color, unless one that a member
 * should rather change has been entered, too. There are none if the setting is empty.
 */
function measureSetting(settings: ColorSettings, name: ColorSetting): Measurement[] {
  const { theme, role } = themeAndRole(name);
  const entered = COLOR_SETTINGS.filter((other) => other.theme === theme && settings[other.name]);
  return measurePairs(colorsOf(settings, theme), theme, role).filter(
    ({ roles }) => roles.find((color) => entered.some((other) => other.role === color)) === role,
  );
}

/** Returns a similar color that has enough contrast; empty if there is none. */
function similarColor(settings: ColorSettings, name: ColorSetting): string {
  const { theme, role } = themeAndRole(name);
  return readableColor(colorsOf(settings, theme), theme, role) ?? '';
}
