/** The form's appearance, in the format of Stripe's `appearance` option. */
export interface Appearance {
  /** `night` sets a dark color scheme; the other values change nothing. */
  theme?: 'stripe' | 'night' | 'flat';
  variables?: Partial<Record<keyof typeof CSS_VARIABLES, string>>;
}

/** Stripe's variable names and our custom properties. */
const CSS_VARIABLES = {
  colorPrimary: '--connect-color-primary',
  colorBackground: '--connect-color-background',
  colorText: '--connect-color-text',
  colorDanger: '--connect-color-danger',
  borderRadius: '--connect-border-radius',
  spacingUnit: '--connect-spacing-unit',
  fontFamily: '--connect-font-family',
  fontSizeBase: '--connect-font-size-base',
};

const THEMES = ['stripe', 'night', 'flat'];

/** The CSS property that validates the value of each variable. */
const VALIDATION_PROPERTIES = {
  color: 'color',
  borderRadius: 'border-radius',
  spacingUnit: 'outline-offset',
  fontFamily: 'font-family',
  fontSizeBase: 'font-size',
};

/**
 * Writes the `appearance` property of an element to a style sheet, which overrides the page's style
 * sheets. The payment fields get the same appearance, because `stripe-appearance.ts` reads the computed
 * styles.
 *
 * @param sheet a style sheet of the element's shadow root
 */
export function applyAppearance(
  { appearance, localName }: HTMLElement & { appearance?: Appearance | null },
  sheet: CSSStyleSheet,
) {
  const { theme, variables, ...others } = appearance ?? {};
  const warn = (text: string) => console.warn(`<${localName}> appearance.${text}.`);
  for (const name of Object.keys(others)) warn(`${name}: unknown property`);
  if (theme && !THEMES.includes(theme))
    warn(`theme: "${theme}" must be one of ${THEMES.join(', ')}`);
  sheet.replaceSync(':host{}');
  const { style } = sheet.cssRules[0] as CSSStyleRule;
  // Set one by one through the CSSOM, so that an invalid value is ignored and no value can inject
  // other rules.
  for (const [name, value] of Object.entries(variables ?? {})) {
    if ((value ?? '') === '') continue; // An empty value counts as not set.
    const problem = findProblem(name, value);
    if (problem) warn(`variables.${name}: ${problem}`);
    else style.setProperty(CSS_VARIABLES[name as keyof typeof CSS_VARIABLES], value, 'important');
  }
  if (theme === 'night') style.setProperty('color-scheme', 'dark', 'important');
}

/**
 * Validates a value, because CSS accepts anything in a custom property, and an invalid color would
 * break the form.
 */
function findProblem(name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(CSS_VARIABLES, name)) return 'unknown variable';
  const kind =
    VALIDATION_PROPERTIES[(/^color/.exec(name)?.[0] ?? name) as keyof typeof VALIDATION_PROPERTIES];
  return CSS.supports(kind, `${value}`) ? undefined : `"${value}" is not a valid ${kind}`;
}
