import { css } from 'lit';

/** The line lies beside the caption, and its list over the rows, so that neither moves what is read. */
export const onItsWayStyles = css`
  .frame,
  .tools {
    position: relative;
  }
  .on-its-way {
    position: absolute;
    inset-block-start: 0;
    inset-inline-end: 0;
    z-index: 1;
    max-inline-size: 62%;
    font-size: 0.8125em;
    line-height: 1.4;
  }
  .tools .on-its-way {
    inset-block-start: 100%;
  }
  .on-its-way summary {
    align-content: center;
    /* As tall as the caption. */
    min-block-size: 56px;
    padding-inline-end: calc(var(--_unit) * 5);
    color: var(--_muted);
    text-align: end;
    cursor: pointer;
  }
  .on-its-way summary:focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: -2px;
  }
  .on-its-way div {
    position: absolute;
    inset-inline-end: calc(var(--_unit) * 5);
    inline-size: max-content;
    max-inline-size: min(26em, 100cqi - var(--_unit) * 10);
    max-block-size: 16em;
    padding: calc(var(--_unit) * 3) calc(var(--_unit) * 4);
    overflow: auto;
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    background: var(--_background);
  }
  .on-its-way ul {
    display: grid;
    gap: calc(var(--_unit) * 3);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .on-its-way li p {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    column-gap: calc(var(--_unit) * 6);
    overflow-wrap: anywhere;
    font-variant-numeric: tabular-nums;
  }
  .on-its-way time {
    margin: 0;
    vertical-align: baseline;
  }
  @media print {
    .on-its-way {
      display: none;
    }
  }
`;
