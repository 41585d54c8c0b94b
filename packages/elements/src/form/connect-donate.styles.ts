import { css } from 'lit';

/** Styles of the donation form, for widths from 280 px. Design tokens: `tokens.styles.ts`. */
export const donateStyles = css`
  :host {
    --_soft: color-mix(in oklab, var(--_primary) 9%, var(--_background));
    --_on-primary: #fff;
    /* 480 px also if the root font size is small; 280 px in containers that shrink to their content. */
    min-inline-size: 0;
    max-inline-size: max(30rem, 480px);
    contain-intrinsic-inline-size: 280px;
    overflow-wrap: anywhere;
  }
  :host([display='button']) {
    min-block-size: 54px;
  }
  :host(:is([display='sticky'], [display='modal']):not([hidden])) {
    display: contents;
  }
  /* Text on the primary color: white on dark colors, black on light ones. */
  @supports (color: oklch(from red l c h)) {
    :host {
      --_on-primary: oklch(from var(--_primary) clamp(0, (0.67 - l) * 1000, 1) 0 h);
    }
  }
  h2 {
    font-size: 1.375em;
    font-weight: 600;
    line-height: 1.25;
    letter-spacing: -0.011em;
    text-wrap: balance;
  }
  .frame {
    display: grid;
    align-content: start;
    gap: calc(var(--_unit) * 5);
    padding: var(--_top) var(--_side) calc(var(--_unit) * 6);
    --_top: calc(var(--_unit) * 9);
    --_side: calc(var(--_unit) * 6);
  }
  /* The load error and the thank-you page have their own height. */
  .frame:has(> .message) {
    min-block-size: 0 !important;
    align-content: center;
  }
  header {
    margin-inline: calc(var(--_side) * -1);
    padding-inline: var(--_side);
  }
  /* The height of the goal meter, whose code is loaded later. */
  .goal {
    min-block-size: 5em;
  }
  .purpose,
  .goal {
    margin-block-start: var(--_unit);
  }
  .purpose {
    white-space: pre-line;
  }
  .purpose,
  .hint,
  .fine-print {
    color: var(--_muted);
  }
  .hint,
  .problem,
  .fine-print {
    font-size: 0.875em;
  }
  /* A strip at the top edge of the frame, in the flow: it never covers other content. */
  .test {
    margin: calc(var(--_top) * -1) calc(var(--_side) * -1) calc(var(--_unit) * 2);
    padding: var(--_unit) var(--_side);
    border-radius: calc(var(--_radius) * 1.6 - 1px) calc(var(--_radius) * 1.6 - 1px) 0 0;
    background: color-mix(in oklab, var(--_warn) 12%, var(--_background));
    line-height: 1.4;
    color: var(--_warn);
    font-size: 0.8125em;
    text-align: center;
  }
  form,
  .fields,
  .field,
  fieldset {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
  }
  form,
  .fields {
    gap: calc(var(--_unit) * 5);
  }
  fieldset {
    gap: calc(var(--_unit) * 3);
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0;
    margin-block-end: calc(var(--_unit) * 2);
    font-weight: 600;
  }
  .field {
    gap: calc(var(--_unit) * 1.5);
  }
  /* A hint or error is as close to its field as the label is. */
  .field + :is(.hint, .problem) {
    margin-block-start: calc(var(--_unit) * -1.5);
  }
  .field label {
    font-size: 0.875em;
    font-weight: 600;
  }
  .required {
    color: var(--_muted);
    font-weight: 400;
  }
  .control {
    display: flex;
    align-items: center;
    min-block-size: calc(1.5em + 24px);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    background: var(--_background);
  }
  .control > :is(input, select, textarea) {
    flex: 1;
    align-self: stretch;
    min-inline-size: 0;
    padding: var(--_unit) calc(var(--_unit) * 3);
    border: 0;
    border-radius: inherit;
    background: transparent;
    font: inherit;
    color: inherit;
    /* Phones zoom in on fields with a smaller font. */
    font-size: max(16px, 1em);
  }
  .control > select {
    margin-inline-end: calc(var(--_unit) * 2);
    text-overflow: ellipsis;
  }
  .symbol {
    padding-inline: calc(var(--_unit) * 3);
    color: var(--_muted);
  }
  .symbol + input,
  input + .symbol {
    padding-inline-start: 0;
  }
  .checkbox {
    display: flex;
    gap: calc(var(--_unit) * 3);
    align-items: start;
  }
  .checkbox input {
    flex: none;
    inline-size: max(24px, 1em);
    block-size: max(24px, 1em);
    margin: calc((1lh - max(24px, 1em)) / 2) 0 0;
    font: inherit;
    accent-color: var(--_primary);
  }
  small {
    display: block;
  }
  summary {
    min-block-size: 24px;
    color: var(--_ink);
    cursor: pointer;
  }
  .primary {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: calc(var(--_unit) * 2.5);
    min-block-size: 54px;
    padding: calc(var(--_unit) * 2) calc(var(--_unit) * 5);
    border: 1px solid transparent;
    border-radius: var(--_radius);
    background: var(--_primary);
    color: var(--_on-primary);
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    text-align: center;
  }
  /* A button that looks like a link, because it does not submit anything. In forced colors it has a border. */
  .link {
    min-block-size: 24px;
    padding: 0;
    border: 1px solid transparent;
    background: none;
    color: var(--_ink);
    text-align: start;
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  .secondary:hover {
    background: var(--_fill);
  }
  .secondary:focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: 2px;
  }
  .fine-print {
    display: flex;
    gap: calc(var(--_unit) * 2);
  }
  .fine-print svg {
    flex: none;
    inline-size: 1.15em;
    block-size: 1.15em;
    margin-block-start: 0.15em;
  }
  @container (inline-size < 390px) {
    .frame {
      --_side: calc(var(--_unit) * 4);
    }
  }
`;
