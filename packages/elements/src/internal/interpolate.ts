/** Texts for each way in which a language counts; `other` serves where there is no special one. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Letters that run from the right, and the mark that makes others do so. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f]/;

/**
 * Puts values where a text names them: `Give {amount}`.
 *
 * Where both directions meet in one sentence, a value keeps to itself: an amount stays whole, and
 * the full stop after a name stays after it.
 */
export const interpolate = (text: string, values: Record<string, string>) =>
  `${text}`.replace(/{(\w+)}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return RIGHT_TO_LEFT.test(text + value) ? `\u2068${value}\u2069` : value;
  });
