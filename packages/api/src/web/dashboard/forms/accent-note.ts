import {
  measureAccent,
  MIN_BUTTON_CONTRAST,
  MIN_LABEL_CONTRAST,
  readableAccent,
  type AccentTheme,
} from '../../../resources/forms/accent.ts';
import { parseColor } from '../fields.ts';

/** Rounded down, so that a ratio below a limit never looks as if it reached it. */
const ratio = (contrast: number) => `${Math.floor(contrast * 10) / 10}:1`;

/** Returns why an accent color cannot be saved: donors could not read the label of buttons. */
export function accentProblem(accent: string, theme: AccentTheme): string | undefined {
  const { label } = measureAccent(accent, theme);
  if (label >= MIN_LABEL_CONTRAST) return undefined;
  return `The label of buttons would be hard to read: its contrast is ${ratio(label)}, and ${ratio(MIN_LABEL_CONTRAST)} is required. A similar color that works is ${readableAccent(accent, theme)}.`;
}

/**
 * Returns the measured contrasts of an accent color for its field; empty while there is no valid color.
 *
 * @param value the text of the field
 */
export function accentNote(value: string, theme: AccentTheme): string {
  const accent = parseColor(value);
  if (!accent) return '';
  const problem = accentProblem(accent, theme);
  if (problem) return problem;
  const { label, button } = measureAccent(accent, theme);
  if (button >= MIN_BUTTON_CONTRAST)
    return `Easy to read. Contrast of the label: ${ratio(label)}, of buttons with the form: ${ratio(button)}.`;
  return `Buttons stand out little from the ${theme === 'light' ? 'white' : 'dark'} form: their contrast is ${ratio(button)}, and ${ratio(MIN_BUTTON_CONTRAST)} is recommended, such as ${readableAccent(accent, theme)}. Texts and outlines are adjusted.`;
}
