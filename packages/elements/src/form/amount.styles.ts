import { css } from 'lit';

/**
 * Styles of the frequencies, which are segments of one control, and of the amounts, which are tiles. Both are radio
 * buttons.
 */
export const amountStyles = css`
  .segments,
  .tiles {
    display: flex;
    flex-wrap: wrap;
  }
  .segments {
    gap: 2px;
    padding: 3px;
    border-radius: var(--_radius);
    background: var(--_fill);
  }
  .tiles {
    gap: calc(var(--_unit) * 2);
  }
  .option {
    position: relative;
    display: grid;
    flex: 1 1 auto;
    max-inline-size: 100%;
    overflow-wrap: break-word;
  }
  .tiles .option {
    flex-basis: calc((100% - var(--_unit) * 4) / 3);
    min-inline-size: max-content;
  }
  .option [type='radio'] {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .option > span {
    display: grid;
    place-items: center;
    min-block-size: 44px;
    padding: var(--_unit) calc(var(--_unit) * 2);
    border: 1px solid transparent; /* Visible in forced colors. */
    border-radius: calc(var(--_radius) - 3px);
    font-weight: 600;
    text-align: center;
  }
  .segments input:checked + span {
    background: var(--_primary);
    color: var(--_on-primary);
  }
  .tiles .option > span {
    min-block-size: 60px;
    border-color: var(--_edge);
    border-radius: var(--_radius);
    font-size: 1.25em;
    font-variant-numeric: tabular-nums;
  }
  /* The last tile takes the rest of its row. Its label lies over the empty field until the donor enters it. */
  .tiles .other {
    flex-grow: 99;
    min-inline-size: min(9em, 100%);
    min-block-size: 60px;
    isolation: isolate;
    grid-template-columns: minmax(0, 1fr);
    align-content: center;
    padding: var(--_unit) calc(var(--_unit) * 2);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
  }
  .tiles input:checked + span,
  .tiles .filled {
    border-color: var(--_ink);
    box-shadow: inset 0 0 0 1px var(--_ink);
    background: var(--_soft);
    color: var(--_ink);
  }
  .other label {
    display: contents;
  }
  .other label span {
    position: relative;
    z-index: 1;
    grid-row: 1;
    grid-column: 1;
    font-weight: 600;
    text-align: center;
    text-wrap: balance;
    cursor: text;
  }
  .other label .hint {
    grid-row: 2;
    font-weight: 400;
  }
  .other .control {
    grid-row: 1;
    grid-column: 1;
    min-block-size: 0;
    border: 0;
    background: none;
    font-size: 1.25em;
    font-weight: 600;
  }
  .other .control:focus-within {
    outline: 0;
  }
  .other .control input {
    padding-block: 0;
  }
  .other:is(:focus-within, .filled) label :first-child {
    opacity: 0;
    pointer-events: none;
  }
  .other:not(:focus-within, .filled) :is(.symbol, input) {
    opacity: 0;
  }
  /* The radio button itself is transparent, and with it the browser's own focus outline. */
  .option > input:focus-visible + span {
    outline: 2px solid var(--_ink);
    outline-offset: 1px;
  }
  .impact {
    min-block-size: 1lh;
  }
  .impact bdi {
    font-weight: 600;
  }
  .monthly {
    justify-self: start;
    padding-block: var(--_unit);
  }
  @media (forced-colors: active) {
    .option > input:focus-visible + span {
      outline-color: Highlight;
    }
    .option input:checked + span {
      forced-color-adjust: none;
      border-color: SelectedItem;
      background: SelectedItem;
      color: SelectedItemText;
      box-shadow: none;
    }
  }
  /* Four frequencies are in two rows of two. */
  @container (inline-size < 27em) {
    .segments:has(:nth-child(4)) .option {
      flex-basis: 40%;
    }
  }
`;
