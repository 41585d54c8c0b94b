/**
 * Applies Stripe's appearance option: its variables as the custom properties of `payment-fields.css`, and its rules
 * for labels and inputs.
 */

export type Appearance = {
  theme?: string;
  variables?: Record<string, string>;
  rules?: Record<string, Record<string, string>>;
  disableAnimations?: boolean;
};

/** Stripe's variable → custom property, and a CSS property that validates the value. */
const VARIABLES: Record<string, readonly [string, string]> = {
  colorPrimary: ['--primary', 'color'],
  colorBackground: ['--background', 'color'],
  colorText: ['--text', 'color'],
  colorTextSecondary: ['--text-secondary', 'color'],
  colorTextPlaceholder: ['--placeholder', 'color'],
  colorDanger: ['--danger', 'color'],
  borderRadius: ['--radius', 'border-radius'],
  fontFamily: ['--font', 'font-family'],
  fontSizeBase: ['--size', 'font-size'],
  spacingUnit: ['--unit', 'width'],
};

/** Stripe's selector → ours. Other selectors have no effect. */
const SELECTORS: Record<string, string> = {
  '.Label': 'label',
  '.Input': 'input',
  '.Input:focus': 'input:focus',
};

const ruleSheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(ruleSheet);

/** @returns the color scheme of the fields, which the `<iframe>` in the page needs too */
export function applyAppearance(appearance: Appearance) {
  const { theme, variables = {}, rules = {}, disableAnimations } = appearance;
  const { style, dataset } = document.documentElement;
  for (const [name, [property, kind]] of Object.entries(VARIABLES)) {
    const value = variables[name];
    const isUsable = value !== undefined && !value.includes('var(') && CSS.supports(kind, value);
    if (isUsable) style.setProperty(property, value);
    else style.removeProperty(property);
  }
  ruleSheet.replaceSync('');
  for (const [selector, declarations] of Object.entries(rules)) {
    const own = SELECTORS[selector];
    if (!own) continue;
    const index = ruleSheet.insertRule(`${own} {}`, ruleSheet.cssRules.length);
    Object.assign((ruleSheet.cssRules[index] as CSSStyleRule).style, declarations);
  }
  const scheme = isDark(theme, variables) ? 'dark' : 'light';
  dataset['scheme'] = scheme;
  dataset['still'] = String(disableAnimations === true);
  return scheme;
}

const RIGHT_TO_LEFT = ['ar', 'fa', 'he', 'ur'];

/** Returns the direction of a locale of Stripe.js. The texts of the fields are English in every locale. */
export function directionOf(locale = 'auto') {
  const [language = ''] = (locale === 'auto' ? navigator.language : locale).split('-');
  return RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr';
}

/**
 * Returns whether the fields are dark: by the background color if it is set, else by the text
 * color, else by the theme.
 */
function isDark(theme: string | undefined, { colorBackground, colorText }: Record<string, string>) {
  const background = colorBackground === undefined ? undefined : lightness(colorBackground);
  if (background !== undefined) return background < 0.5;
  const text = colorText === undefined ? undefined : lightness(colorText);
  if (text !== undefined) return text > 0.5;
  return theme === 'night';
}

/**
 * Returns the perceived lightness of a color in any CSS notation, from 0 to 1.
 *
 * @returns undefined for an invalid or transparent color
 */
function lightness(color: string): number | undefined {
  if (!CSS.supports('color', color)) return undefined;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return alpha < 128 ? undefined : (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}
