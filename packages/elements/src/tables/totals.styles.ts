import { css } from 'lit';

/** Styles of the sums above the rows. */
export const totalsStyles = css`
  /* The height of the tiles is reserved before they load: of six, or in one column of the usual four. */
  .totals {
    position: relative;
    display: grid;
    grid-auto-columns: minmax(0, 1fr);
    grid-auto-flow: column;
    gap: calc(var(--_unit) * 2);
    align-content: start;
    min-block-size: 4.5em;
    inline-size: 100%;
    font-variant-numeric: tabular-nums;
  }
  .totals > .totals-list {
    display: contents;
  }
  .totals-list > div {
    block-size: 4.5em;
    padding: calc(var(--_unit) * 2) calc(var(--_unit) * 3);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }
  .totals-list :is(dt, dd) {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .totals-list dt {
    font-size: 0.8125em;
  }
  .totals-list dd {
    font-size: 1.125em;
    font-weight: 650;
  }
  /* The totals of further currencies open over the rows. */
  .totals details {
    align-self: center;
    justify-self: end;
    max-inline-size: 100%;
  }
  .totals summary {
    overflow: clip;
    text-overflow: ellipsis;
    white-space: nowrap;
    cursor: pointer;
  }
  .totals summary:focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: -2px;
  }
  .totals details > div {
    position: absolute;
    inset-inline-end: 0;
    z-index: 1;
    display: grid;
    gap: calc(var(--_unit) * 3);
    inline-size: max-content;
    max-inline-size: 100%;
    /* Ends above the bottom of the lowest table; a clipped line shows that more can be scrolled. */
    max-block-size: 12.5em;
    padding: calc(var(--_unit) * 3) calc(var(--_unit) * 4);
    overflow: auto;
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    background: var(--_background);
  }
  .totals details .totals-list {
    grid-template-columns: minmax(min(10em, 100%), auto);
    gap: calc(var(--_unit) * 2);
    margin: 0;
  }
  @container (inline-size < 60em) {
    .totals {
      grid-auto-flow: row;
      grid-template-columns: repeat(3, minmax(0, 1fr));
      min-block-size: calc(9em + var(--_unit) * 2);
    }
    .totals details {
      grid-column-end: -1;
    }
  }
  @container (inline-size < 34em) {
    .totals {
      grid-template-columns: repeat(2, minmax(0, 1fr));
      min-block-size: calc(13.5em + var(--_unit) * 4);
    }
  }
  @container (inline-size < 16em) {
    .totals {
      grid-template-columns: minmax(0, 1fr);
      min-block-size: calc(18em + var(--_unit) * 6);
    }
  }
`;
