import type { Appearance } from '@stripe/stripe-js';

/**
 * Our design tokens as Stripe's `appearance`, so that Stripe's fields look like ours.
 *
 * They are read as computed styles of a hidden swatch element in the form, because Stripe's iframe
 * does not have the page's custom properties, color scheme or fonts.
 */
export function readStripeAppearance(host: Element): Appearance {
  const swatch = host.shadowRoot?.querySelector('.swatch');
  if (!swatch) return {};
  // Finishes transitions, so that the computed style is the transition's target:
  // `donation-flow.styles.ts`.
  for (const change of swatch.getAnimations()) change.finish();
  const style = getComputedStyle(swatch);
  const borderColor = toRgb(style.borderTopColor);
  const outline = `2px solid ${toRgb(style.accentColor)}`;
  const padding = `11px ${3 * parseFloat(style.paddingTop)}px`;
  return {
    theme: 'stripe',
    variables: {
      colorPrimary: toRgb(style.accentColor),
      colorBackground: toRgb(style.backgroundColor),
      colorText: toRgb(style.color),
      colorTextSecondary: toRgb(style.caretColor),
      colorDanger: toRgb(style.outlineColor),
      borderRadius: style.borderTopLeftRadius,
      fontFamily: style.fontFamily,
      fontSizeBase: style.fontSize,
      spacingUnit: style.paddingTop,
    },
    rules: {
      '.Label': { color: toRgb(style.color), fontSize: '0.875em', fontWeight: '600' },
      // As high as the form's own fields: 48 px.
      '.Input': { borderColor, boxShadow: 'none', lineHeight: '1.5', padding },
      '.Input:focus': { borderColor, boxShadow: 'none', outline, outlineOffset: '1px' },
    },
  };
}

/** Converts any CSS color to `rgb()`, which Stripe's iframe supports. */
function toRgb(color: string): string {
  if (color.startsWith('rgb')) return color;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return color;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}
