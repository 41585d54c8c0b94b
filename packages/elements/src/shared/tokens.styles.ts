import { css } from 'lit';

/**
 * Design tokens and base styles of all elements.
 *
 * Colors follow the `color-scheme` that the page gives the element; without one they are light.
 * Distances are in pixels, so that the page's root font size does not change them; font sizes are
 * relative to the page's.
 *
 * Of the inherited properties the elements keep only font family, font size, color scheme,
 * visibility and pointer events. All others are reset, so that for example a page's italic capitals
 * do not affect them.
 */
export const tokens = css`
  :host {
    all: initial;
    color-scheme: inherit;
    visibility: inherit;
    pointer-events: inherit;
    -webkit-user-select: text;
    --_primary: var(--connect-color-primary, light-dark(#0b6b5b, #6ad6bd));
    --_background: var(--connect-color-background, light-dark(#fff, #171b1f));
    --_text: var(--connect-color-text, light-dark(#1c2328, #eef2f4));
    --_warn: light-dark(#8a5300, #f5c26b);
    --_muted: color-mix(in oklab, var(--_text) 70%, var(--_background));
    --_line: color-mix(in oklab, var(--_text) 14%, var(--_background));
    --_edge: color-mix(in oklab, var(--_text) 54%, var(--_background));
    --_fill: color-mix(in oklab, var(--_text) 7%, var(--_background));
    --_radius: var(--connect-border-radius, 10px);
    --_unit: var(--connect-spacing-unit, 4px);
    display: block;
    box-sizing: border-box;
    inline-size: 100%;
    container-type: inline-size;
    color: var(--_text);
    font-family: var(--connect-font-family, inherit);
    font-size: var(--connect-font-size-base, inherit);
    line-height: 1.5;
    -webkit-text-size-adjust: 100%;
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  .hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .frame {
    position: relative;
    background: var(--_background);
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 1.6);
  }
  h2,
  p {
    margin: 0;
  }
  button {
    font: inherit;
    color: inherit;
    cursor: pointer;
  }
  .secondary {
    min-block-size: 44px;
    padding: calc(var(--_unit) * 2) calc(var(--_unit) * 5);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    background: transparent;
    font-weight: 600;
  }
  @keyframes breathe {
    50% {
      opacity: 0.5;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
    }
  }
`;
