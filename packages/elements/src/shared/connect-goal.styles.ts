/** A tag for editors and the build's CSS minifier. Not `css.ts`: this element adopts one text. */
const css = String.raw;

/** Styles of the goal meter: the tokens of `tokens.styles.ts` and the meter's own rules. */
export const goalStyles = css`
  :host {
    all: initial;
    color-scheme: inherit;
    visibility: inherit;
    pointer-events: inherit;
    -webkit-user-select: text;
    --_primary: var(--connect-color-primary, light-dark(#0b6b5b, #6ad6bd));
    --_background: var(--connect-color-background, light-dark(#fff, #171b1f));
    --_text: var(--connect-color-text, light-dark(#1c2328, #eef2f4));
    --_ink: var(--_primary);
    --_radius: var(--connect-border-radius, 10px);
    --_unit: var(--connect-spacing-unit, 4px);
    display: block;
    box-sizing: border-box;
    min-inline-size: 0;
    max-inline-size: max(30rem, 480px);
    color: var(--_text);
    font-family: var(--connect-font-family, inherit);
    font-size: var(--connect-font-size-base, inherit);
    line-height: 1.5;
    text-align: start;
    -webkit-text-size-adjust: 100%;
  }
  @supports (color: oklch(from red l c h)) {
    :host {
      --_ink: light-dark(
        oklch(from var(--_primary) min(l, 0.52) c h),
        oklch(from var(--_primary) max(l, 0.74) c h)
      );
    }
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  :host([theme='auto']) {
    color-scheme: light dark;
  }
  [part='frame'] {
    position: relative;
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: end;
    gap: calc(var(--_unit) * 3);
    padding: calc(var(--_unit) * 5) calc(var(--_unit) * 6);
    border: 1px solid color-mix(in oklab, var(--_text) 14%, var(--_background));
    border-radius: calc(var(--_radius) * 1.6);
    background: var(--_background);
  }
  p {
    margin: 0;
    overflow-wrap: anywhere;
    unicode-bidi: plaintext;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  [part='amount'] {
    display: block;
    min-block-size: 1.25em;
    font-size: 1.5em;
    line-height: 1.25;
    letter-spacing: -0.011em;
  }
  [part='description'] {
    display: block;
    min-block-size: 1.5em;
  }
  [part='percentage'] {
    font-weight: 600;
  }
  [part='meter'] {
    grid-column: 1 / -1;
    box-sizing: border-box;
    block-size: 14px;
    padding: 1px;
    overflow: hidden;
    border: 1px solid color-mix(in oklab, var(--_text) 54%, var(--_background));
    border-radius: 9px;
  }
  [part='bar'] {
    block-size: 100%;
    inline-size: 100%;
    max-inline-size: var(--_share, 0%);
    border-radius: 6px;
    background: var(--_ink);
    transition: max-inline-size 0.6s ease-out;
  }
  .no-goal [part='meter'],
  .no-goal [part='percentage'],
  .failed:not(.has-fallback) {
    visibility: hidden;
  }
  slot,
  .failed.has-fallback > :not(slot) {
    display: none;
  }
  .failed.has-fallback slot {
    display: block;
    grid-column: 1 / -1;
  }
  [role='status'] {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (prefers-reduced-motion: reduce) {
    [part='bar'] {
      transition: none;
    }
  }
  @media (forced-colors: active) {
    [part='bar'] {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;
