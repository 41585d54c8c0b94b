import type { Appearance } from '@stripe/stripe-js';

/**
 * Our tokens in the processor's words, so that its fields look like ours.
 *
 * They are read as the browser computes them, from the hidden swatch that every form draws:
 * the frame knows nothing of the page's custom properties, its scheme or its fonts.
 */
export function readStripeAppearance(host: Element): Appearance {
  const swatch = host.shadowRoot?.querySelector('.swatch');
  if (!swatch) return {};
  // Its look is what it is on the way to: `donation-flow.styles.ts`.
  for (const change of swatch.getAnimations()) change.finish();
  const style = getComputedStyle(swatch);
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
      '.Input': { borderColor: toRgb(style.borderTopColor), boxShadow: 'none' },
    },
  };
}

/** Any color of CSS as `rgb()`, the notation that the frame surely reads. */
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
