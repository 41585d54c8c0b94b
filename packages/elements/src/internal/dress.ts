/** How a form may look, in the words of Stripe's `appearance`. */
export interface Appearance {
  /** `night` is dark; everything else is as the page is. */
  theme?: 'stripe' | 'night' | 'flat';
  variables?: Partial<Record<keyof typeof NAMES, string>>;
}

/** Stripe's names, and ours for the same. */
const NAMES = {
  colorPrimary: '--connect-color-primary',
  colorBackground: '--connect-color-background',
  colorText: '--connect-color-text',
  colorDanger: '--connect-color-danger',
  borderRadius: '--connect-border-radius',
  spacingUnit: '--connect-spacing-unit',
  fontFamily: '--connect-font-family',
  fontSizeBase: '--connect-font-size-base',
};

const sheets = new WeakMap<HTMLElement, CSSStyleSheet>();

/**
 * Gives an element the look that its owner asks for by script. It wins over the page's style sheets,
 * and reaches the card's fields as every look does: `appearance.ts` reads what the browser computed.
 */
export function dress(element: HTMLElement, appearance: Appearance | null | undefined) {
  const { theme, variables = {} } = appearance ?? {};
  const sheet = sheets.get(element) ?? new CSSStyleSheet();
  sheet.replaceSync(':host{}');
  const { style } = sheet.cssRules[0] as CSSStyleRule;
  // Set one by one: a value that is none says nothing, and cannot say more than its own.
  for (const [name, value] of Object.entries(variables)) {
    const property = NAMES[name as keyof typeof NAMES] as string | undefined;
    if (property) style.setProperty(property, value, 'important');
    else console.warn(`<${element.localName}> appearance.variables.${name}: is not known here.`);
  }
  if (theme === 'night') style.setProperty('color-scheme', 'dark', 'important');
  if (sheets.has(element)) return;
  sheets.set(element, sheet);
  element.shadowRoot!.adoptedStyleSheets.push(sheet);
}
