import type { CSSResult } from 'lit';

/** Adds the styles of code that is loaded later to an element, once. */
export function adoptStyles({ shadowRoot }: Element, ...styles: CSSResult[]) {
  const { adoptedStyleSheets } = shadowRoot!;
  for (const { styleSheet } of styles)
    if (!adoptedStyleSheets.includes(styleSheet!)) adoptedStyleSheets.push(styleSheet!);
}
