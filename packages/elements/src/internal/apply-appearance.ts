/** How a form may look, in the words of Stripe's `appearance`. */
export interface Appearance {
  /** `night` is dark; everything else is as the page is. */
  theme?: 'stripe' | 'night' | 'flat';
  variables?: Partial<Record<keyof typeof CSS_VARIABLES, string>>;
}

/** Stripe's names, and ours for the same. */
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

/** What a value of each must be, as a property of CSS that takes the same. */
const VALIDATION_PROPERTIES = {
  color: 'color',
  borderRadius: 'border-radius',
  spacingUnit: 'outline-offset',
  fontFamily: 'font-family',
  fontSizeBase: 'font-size',
};

const sheets = new WeakMap<HTMLElement, CSSStyleSheet>();

/**
 * Gives an element the look that its owner asks for by script. It wins over the page's style sheets,
 * and reaches the card's fields as every look does: `stripe-appearance.ts` reads what the browser computed.
 */
export function applyAppearance(element: HTMLElement, appearance: Appearance | null | undefined) {
  const { theme, variables, ...others } = appearance ?? {};
  const warn = (text: string) => console.warn(`<${element.localName}> appearance.${text}.`);
  for (const name of Object.keys(others)) warn(`${name}: is not known here`);
  if (theme && !THEMES.includes(theme)) warn(`theme: "${theme}" is none of ${THEMES.join(', ')}`);
  const sheet = sheets.get(element) ?? new CSSStyleSheet();
  sheet.replaceSync(':host{}');
  const { style } = sheet.cssRules[0] as CSSStyleRule;
  // Set one by one: a value that is none says nothing, and cannot say more than its own.
  for (const [name, value] of Object.entries(variables ?? {})) {
    if ((value ?? '') === '') continue; // Left out, by way of a script's own default.
    const problem = findProblem(name, value);
    if (problem) warn(`variables.${name}: ${problem}`);
    else style.setProperty(CSS_VARIABLES[name as keyof typeof CSS_VARIABLES], value, 'important');
  }
  if (theme === 'night') style.setProperty('color-scheme', 'dark', 'important');
  if (sheets.has(element)) return;
  sheets.set(element, sheet);
  element.shadowRoot!.adoptedStyleSheets.push(sheet);
}

/** A custom property takes whatever it is given, and a form without a color is no form. */
function findProblem(name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(CSS_VARIABLES, name)) return 'is not known here';
  const kind =
    VALIDATION_PROPERTIES[(/^color/.exec(name)?.[0] ?? name) as keyof typeof VALIDATION_PROPERTIES];
  return CSS.supports(kind, `${value}`) ? undefined : `"${value}" is no ${kind}`;
}
