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
  .filters summary:focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: 2px;
  }
  .filters div {
    display: flex;
    flex-wrap: wrap;
    gap: calc(var(--_unit) * 3);
    align-items: end;
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
