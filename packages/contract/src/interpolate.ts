/** The plural forms of a message; `other` is the default. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Right-to-left letters (Hebrew, Arabic) and the right-to-left mark. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f]/;

/**
 * Replaces placeholders of a message with values: `Give {amount}`.
 *
 * In text with right-to-left letters each value is isolated (U+2068, U+2069), so that amounts and
 * punctuation keep their order.
 */
export const interpolate = (text: string, values: Readonly<Record<string, string>>): string =>
  `${text}`.replace(/{(\w+)}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return RIGHT_TO_LEFT.test(text + value) ? `\u2068${value}\u2069` : value;
  });
