import { css } from 'lit';

/** Styles of the tools above the rows. */
export const toolbarStyles = css`
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: calc(var(--_unit) * 3);
    align-items: center;
    padding: calc(var(--_unit) * 4) calc(var(--_unit) * 5) 0;
  }
  /* Without the weight of the toolbar's class, so that the panel has its own sizes. */
  :where(.tools) :is(input, select, .secondary) {
    font: inherit;
    min-block-size: 40px;
    padding: 0 calc(var(--_unit) * 3);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    background: var(--_background);
    color: var(--_text);
    font-size: 0.9375em;
  }
  .tools .secondary {
    font-weight: 600;
  }
  .search {
    display: flex;
    flex: 1 1 14em;
    gap: calc(var(--_unit) * 2);
    align-items: center;
    min-inline-size: 0;
    color: var(--_muted);
    font-size: 0.9375em;
  }
  .tools [type='search'] {
    flex: 1;
    min-inline-size: 0;
    font-size: 1em;
  }
  .tools :is(input, select):focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: 2px;
  }
  .tools [aria-expanded]::after {
    content: ' ▾' / '';
  }
  .tools [aria-expanded='true'] {
    background: var(--_fill);
  }
  .panel {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 8em), 1fr));
    gap: calc(var(--_unit) * 3);
    align-items: end;
    inline-size: 100%;
    padding: calc(var(--_unit) * 3);
    border-radius: var(--_radius);
    background: var(--_fill);
  }
  .panel label {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    color: var(--_muted);
    font-size: 0.8125em;
  }
  .panel :is(input, select) {
    inline-size: 100%;
    padding-inline: calc(var(--_unit) * 2);
    font-size: 1.125em;
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
  .tools .count {
    color: var(--_muted);
    font-size: 0.875em;
  }
  @media (pointer: coarse) {
    .tools :is(input:not([type='checkbox']), select, .secondary, .columns label) {
      min-block-size: 44px;
    }
    /* Phones zoom in on fields with a smaller font. */
    .tools :is(input, select) {
      font-size: max(16px, 1em);
    }
  }
`;
