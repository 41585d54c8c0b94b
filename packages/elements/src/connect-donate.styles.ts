import { css } from 'lit';

/** The form's look: docs in `internal/tokens.styles.ts`. From 280 px up. */
export const donateStyles = css`
  :host {
    max-inline-size: 30rem;
  }
  .frame {
    display: grid;
    align-content: start;
    gap: calc(var(--_unit) * 5);
    min-block-size: 700px;
    padding: calc(var(--_unit) * 6);
  }
  .frame.failed,
  .frame.thanked {
    align-content: center;
  }
  .swatch {
    position: absolute;
    visibility: hidden;
    padding: var(--_unit);
    border: 0 solid var(--_edge);
    border-radius: var(--_radius);
    outline-color: var(--_danger);
    background-color: var(--_background);
    accent-color: var(--_primary);
    caret-color: var(--_muted);
  }
  header {
    display: grid;
    gap: var(--_unit);
  }
  .purpose,
  .hint,
  .fine {
    color: var(--_muted);
  }
  .hint,
  .problem,
  .fine {
    font-size: 0.875em;
  }
  .test {
    justify-self: start;
    margin-block-end: var(--_unit);
    padding: calc(var(--_unit) * 0.5) calc(var(--_unit) * 2.5);
    border: 1px solid currentColor;
    border-radius: 99px;
    color: var(--_warn);
    font-size: 0.8125em;
  }
  form,
  .fields {
    display: grid;
    gap: calc(var(--_unit) * 5);
  }
  fieldset {
    display: grid;
    gap: calc(var(--_unit) * 3);
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0;
    margin-block-end: calc(var(--_unit) * 2);
    font-weight: 650;
  }
  .presets {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 6em), 1fr));
    gap: calc(var(--_unit) * 2);
  }
  .preset {
    position: relative;
    display: grid;
  }
  .preset input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .preset span {
    display: grid;
    place-items: center;
    min-block-size: 48px;
    padding: var(--_unit) calc(var(--_unit) * 2);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    transition:
      background-color 0.12s,
      border-color 0.12s;
  }
  .preset:hover span {
    background: var(--_still);
  }
  .preset input:checked + span {
    border-color: var(--_primary);
    box-shadow: inset 0 0 0 1px var(--_primary);
    background: var(--_soft);
    color: color-mix(in oklab, var(--_primary) 80%, var(--_text));
  }
  .field {
    display: grid;
    gap: calc(var(--_unit) * 1.5);
  }
  .field label {
    font-size: 0.9375em;
    font-weight: 550;
  }
  .required {
    color: var(--_muted);
    font-weight: 400;
  }
  .box {
    display: flex;
    align-items: center;
    min-block-size: 48px;
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    background: var(--_background);
  }
  .box input {
    flex: 1;
    align-self: stretch;
    min-inline-size: 0;
    padding: var(--_unit) calc(var(--_unit) * 3);
    border: 0;
    border-radius: inherit;
    outline: 0;
    background: transparent;
    /* Smaller letters make phones zoom in. */
    font-size: max(16px, 1em);
  }
  .mark {
    padding-inline: calc(var(--_unit) * 3);
    color: var(--_muted);
  }
  .mark + input {
    padding-inline-start: 0;
  }
  input + .mark {
    padding-inline-start: 0;
  }
  .box:focus-within,
  .preset input:focus-visible + span {
    outline: 2px solid var(--_primary);
    outline-offset: 1px;
  }
  .box:has([aria-invalid]),
  .invalid .preset span {
    border-color: var(--_danger);
  }
  .problem {
    color: var(--_danger);
    font-weight: 550;
  }
  .stage {
    display: grid;
    min-block-size: 172px;
  }
  .stage > * {
    grid-area: 1 / 1;
    min-inline-size: 0;
  }
  .waiting {
    visibility: hidden;
  }
  .outline {
    display: grid;
    grid-template-columns: 1fr 1fr;
    align-content: start;
    gap: calc(var(--_unit) * 3);
  }
  .line {
    block-size: 48px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: linear-gradient(var(--_still), var(--_still)) no-repeat calc(var(--_unit) * 3) 50% /
      min(9em, 55%) 0.75em;
  }
  .long {
    grid-column: 1 / -1;
  }
  [aria-busy='true'] .line,
  .skeleton i {
    animation: breathe 1.6s ease-in-out infinite;
  }
  .blocked,
  .notice {
    padding: calc(var(--_unit) * 3) calc(var(--_unit) * 4);
    border: 1px solid var(--_line);
    border-inline-start: 4px solid var(--_edge);
    border-radius: var(--_radius);
    overflow-wrap: anywhere;
  }
  .blocked {
    display: grid;
    gap: calc(var(--_unit) * 2);
    min-block-size: 172px;
    align-content: center;
  }
  .blocked p {
    color: var(--_muted);
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: calc(var(--_unit) * 2) calc(var(--_unit) * 4);
    align-items: center;
  }
  a {
    display: inline-block;
    padding-block: var(--_unit);
    color: color-mix(in oklab, var(--_primary) 85%, var(--_text));
    text-underline-offset: 0.2em;
  }
  .notice.problem {
    border-inline-start-color: var(--_danger);
    background: color-mix(in oklab, var(--_danger) 7%, var(--_background));
    color: var(--_text);
    font-size: 1em;
  }
  .give {
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
    font-size: 1.0625em;
    font-weight: 650;
    font-variant-numeric: tabular-nums;
    transition: filter 0.12s;
  }
  .give:hover {
    filter: brightness(1.08);
  }
  .give:active {
    filter: brightness(0.94);
  }
  .give:focus-visible {
    outline: 2px solid var(--_primary);
    outline-offset: 3px;
  }
  .give[aria-disabled] {
    cursor: progress;
    filter: none;
  }
  .giving .fields {
    opacity: 0.62;
  }
  .spinner {
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
  .fine {
    display: flex;
    gap: calc(var(--_unit) * 2);
  }
  .fine svg {
    flex: none;
    inline-size: 1.15em;
    block-size: 1.15em;
    margin-block-start: 0.15em;
  }
  .tick {
    inline-size: 56px;
    block-size: 56px;
    color: var(--_primary);
  }
  dl {
    display: grid;
    font-size: 0.875em;
    color: var(--_muted);
  }
  dd {
    font-family: ui-monospace, monospace;
    overflow-wrap: anywhere;
  }
  .skeleton {
    display: grid;
    gap: calc(var(--_unit) * 3);
  }
  .skeleton i {
    border-radius: var(--_radius);
    background: var(--_still);
    block-size: 48px;
  }
  .skeleton .label {
    inline-size: 7em;
    block-size: 1em;
    margin-block-start: calc(var(--_unit) * 2);
  }
  .skeleton .title {
    inline-size: min(80%, 18em);
    block-size: 2em;
    margin-block-end: calc(var(--_unit) * 2);
  }
  .skeleton .tall {
    block-size: 108px;
  }
  @container (inline-size < 360px) {
    .frame {
      padding: calc(var(--_unit) * 4);
    }
    .presets {
      grid-template-columns: 1fr 1fr;
    }
  }
  @media (forced-colors: active) {
    .preset input:checked + span {
      border: 3px solid Highlight;
      forced-color-adjust: none;
      background: Canvas;
      color: CanvasText;
      box-shadow: none;
    }
    .give {
      border-color: ButtonText;
    }
    .box:focus-within,
    .preset input:focus-visible + span,
    .give:focus-visible {
      outline-color: Highlight;
    }
    .box:has([aria-invalid]) {
      border-width: 3px;
    }
  }
`;
