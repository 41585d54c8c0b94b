import { css } from 'lit';

/** Styles of the tools above the rows. */
export const toolbarStyles = css`
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: calc(var(--_unit) * 3);
    align-items: end;
    padding: calc(var(--_unit) * 4) calc(var(--_unit) * 5) 0;
  }
  .tools label {
    display: grid;
    color: var(--_muted);
    font-size: 0.8125em;
  }
  .tools :is(input, select) {
    font: inherit;
    min-block-size: 40px;
    /* A fixed width, so that a filter keeps its size when its options load. */
    inline-size: 10em;
    max-inline-size: 100%;
    padding: 0 calc(var(--_unit) * 2);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    background: var(--_background);
    color: var(--_text);
    font-size: 1.125em;
  }
  .tools :is(input, select):focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: 2px;
  }
  .columns {
    position: relative;
  }
  .columns summary {
    min-block-size: 44px;
    align-content: center;
    color: var(--_ink);
    cursor: pointer;
  }
  .columns div {
    position: absolute;
    inset-inline-start: 0;
    z-index: 2;
    display: grid;
    gap: calc(var(--_unit) * 2);
    inline-size: max-content;
    max-block-size: 20em;
    padding: calc(var(--_unit) * 4);
    overflow: auto;
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    background: var(--_background);
  }
  .columns label {
    display: flex;
    gap: calc(var(--_unit) * 2);
    align-items: center;
    min-block-size: 24px;
    color: var(--_text);
    font-size: 0.9375em;
  }
  .columns input {
    inline-size: auto;
    min-block-size: 0;
    accent-color: var(--_ink);
  }
  /* At the end of a heading, over the space between two columns. */
  thead th:has(.handle) {
    position: relative;
  }
  .handle {
    position: absolute;
    inset-block: 0;
    inset-inline-end: 0;
    inline-size: 24px;
    cursor: col-resize;
    touch-action: none;
  }
  .handle::after {
    position: absolute;
    inset-block: 25%;
    inset-inline-end: 5px;
    border-inline-end: 1px solid var(--_line);
    content: '';
  }
  .handle:focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: -2px;
  }
  .filters {
    inline-size: 100%;
  }
  .filters summary {
    inline-size: fit-content;
    min-block-size: 44px;
    align-content: center;
    color: var(--_ink);
    cursor: pointer;
  }
  :is(.filters, .columns) summary:focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: 2px;
  }
  .filters div {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(9em, 1fr));
    gap: calc(var(--_unit) * 3);
    align-items: end;
  }
  .filters :is(input, select) {
    inline-size: 100%;
  }
  .tools .count {
    align-self: center;
    color: var(--_muted);
    font-size: 0.875em;
  }
  @media (pointer: coarse) {
    .tools :is(input, select) {
      min-block-size: 44px;
    }
  }
`;
