import { css } from 'lit';

/** Styles of everything that appears only once the donor uses the form. */
export const donationFlowStyles = css`
  :host {
    --_danger: var(--connect-color-danger, light-dark(#b3261e, #ffb1a8));
  }
  .swatch {
    padding: var(--_unit);
    border: 0 solid var(--_edge);
    border-radius: var(--_radius);
    outline-color: var(--_danger);
    background-color: var(--_background);
    accent-color: var(--_primary);
    caret-color: var(--_muted);
    /* Invisible. The end of this transition signals that a color or font has changed (payment-fields.ts). */
    transition-property: all !important;
    transition-duration: 1ms !important;
    transition-behavior: allow-discrete !important; /* For fonts, which do not interpolate. */
  }
  .own-text {
    white-space: pre-line;
  }
  .problem {
    color: var(--_danger);
    font-weight: 600;
  }
  /* Left-to-right input keeps its punctuation at the end, also while it is typed: ada@ */
  input,
  textarea {
    unicode-bidi: plaintext;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  :is(.control, .tiles .other):has([aria-invalid]),
  .invalid .option span {
    border-color: var(--_danger);
    box-shadow: none;
  }
  /* Until these styles are loaded, the browser's own focus outline is shown. */
  .control > :is(input, select, textarea) {
    outline: 0;
  }
  :is(.control, .other):focus-within {
    outline: 2px solid var(--_ink);
    outline-offset: 1px;
  }
  .option span {
    transition:
      background-color 0.12s,
      border-color 0.12s;
  }
  .option:hover input:not(:checked) + span {
    background: var(--_fill);
  }
  details[open] summary,
  details .field + .field {
    margin-block: calc(var(--_unit) * 3);
  }
  .primary {
    user-select: none;
    transition: background-color 0.12s;
  }
  /* Only the background is darker, so that the contrast of a white label does not fall. */
  .primary:is(:hover, :active) {
    background: color-mix(in oklab, var(--_primary) 94%, #000);
  }
  /* Fields that are not usable yet are filled blocks, as in the form's placeholder. */
  .payment[aria-busy='true'] .skeleton-field::after {
    border-color: transparent;
    background: var(--_fill);
  }
  .payment[aria-busy='true'] .card-skeleton {
    cursor: progress;
  }
  /* Some payment methods, such as PayPal, need less than the space that is reserved for loading. */
  .choice:not(:has(.card-skeleton)) {
    min-block-size: 0;
  }
  /* In a separate row, which the fields cover once they are loaded. */
  .payment-area > .waiting {
    grid-row: 1 / 3;
  }
  .payment-area > .note {
    grid-row: 2;
    display: flex;
    align-items: center;
    gap: calc(var(--_unit) * 2);
    align-self: end;
    padding-block-start: calc(var(--_unit) * 2);
    color: var(--_muted);
    font-size: 0.875em;
  }
  .payment-error,
  .banner {
    padding: calc(var(--_unit) * 3) calc(var(--_unit) * 4);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }
  a {
    display: inline-block;
    padding-block: var(--_unit);
    color: var(--_ink);
    text-underline-offset: 0.2em;
  }
  /* A block, so that the list marker is beside its first line. */
  .banner li a {
    display: block;
  }
  .banner.error {
    border-color: color-mix(in oklab, var(--_danger) 45%, var(--_background));
    background: color-mix(in oklab, var(--_danger) 7%, var(--_background));
  }
  .banner :is(.actions, button:not(.actions *)) {
    margin-block-start: calc(var(--_unit) * 3);
  }
  .banner ul {
    margin: 0;
    padding-inline-start: 1.25em;
  }
  a:focus-visible,
  .link:focus-visible,
  .primary:focus-visible,
  .checkbox input:focus-visible,
  .banner:focus-visible,
  .payment-error:focus-visible,
  summary:focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: 3px;
  }
  .primary[aria-disabled] {
    cursor: progress;
    background: var(--_primary);
  }
  .submitting .fields {
    opacity: 0.62;
  }
  .payment-error {
    display: grid;
    gap: calc(var(--_unit) * 2);
    min-block-size: 208px;
    align-content: center;
  }
  .payment-error p:not(.actions) {
    color: var(--_muted);
  }
  .captcha {
    display: grid;
    gap: calc(var(--_unit) * 3);
  }
  /* As tall as the tallest widget, so that all of it is in view when it gets the focus. */
  .captcha slot:not([hidden]) {
    display: block;
    min-block-size: 80px;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: calc(var(--_unit) * 2) calc(var(--_unit) * 4);
    align-items: center;
  }
  .spinner {
    flex: none;
    inline-size: 1.1em;
    block-size: 1.1em;
    border: 2px solid currentColor;
    border-inline-end-color: transparent;
    border-radius: 50%;
    animation: spin 0.8s linear infinite;
  }
  @keyframes spin {
    to {
      rotate: 1turn;
    }
  }
  /* With large text on a phone. */
  @container (inline-size < 16em) {
    .banner,
    .payment-error {
      padding-inline: calc(var(--_unit) * 2);
    }
    .banner ul {
      padding: 0;
      list-style: none;
    }
    .message {
      padding-inline: 0;
    }
    .primary {
      flex-wrap: wrap;
    }
  }
  @media (forced-colors: active) {
    .primary {
      border-color: ButtonText;
    }
    /* Without its gap the rotation would be invisible. */
    .spinner {
      forced-color-adjust: none;
      border-color: ButtonText transparent ButtonText ButtonText;
    }
    .control:focus-within,
    .primary:focus-visible,
    .secondary:focus-visible {
      outline-color: Highlight;
    }
    :is(.control, .tiles .other):has([aria-invalid]) {
      border-width: 3px;
    }
    .tiles .filled {
      border-color: Highlight;
    }
  }
`;
