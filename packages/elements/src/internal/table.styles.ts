import { css } from 'lit';

/** The look of every table: rows from 720 px up, cards below. */
export const tableStyles = css`
  .frame {
    min-block-size: 320px;
    overflow: clip;
  }
  table {
    inline-size: 100%;
    /* Fixed columns: they stand where they stood while the table was loading. */
    table-layout: fixed;
    border-collapse: collapse;
    font-size: 0.9375em;
  }
  caption,
  .title {
    font-size: 1.125em;
    font-weight: 650;
  }
  caption {
    padding: calc(var(--_unit) * 4) calc(var(--_unit) * 5) calc(var(--_unit) * 3);
    text-align: start;
  }
  th,
  td {
    block-size: 44px;
    padding: calc(var(--_unit) * 2) calc(var(--_unit) * 3);
    border-block-end: 1px solid var(--_line);
    text-align: start;
    vertical-align: middle;
    /* One line a row, so that rows are as tall as their outlines were while loading. */
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  :is(th, td):first-child {
    padding-inline-start: calc(var(--_unit) * 5);
  }
  :is(th, td):last-child {
    padding-inline-end: calc(var(--_unit) * 5);
  }
  thead th {
    block-size: 36px;
    color: var(--_muted);
    font-size: 0.875em;
    font-weight: 550;
  }
  tbody th {
    font-weight: 600;
  }
  .number {
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  tbody tr:hover {
    background: var(--_still);
  }
  .fresh {
    animation: arrive 2.4s ease-out;
  }
  @keyframes arrive {
    from {
      background: color-mix(in oklab, var(--_primary) 22%, var(--_background));
    }
  }
  .muted {
    color: var(--_muted);
  }
  /* Measured by the words that a column takes; what is left goes to names. */
  .slim {
    inline-size: 10.5em;
  }
  .wide {
    inline-size: 14em;
  }
  .badge {
    display: inline-block;
  }
  /* A border stays when a reader's own colors replace ours. */
  .badge::before {
    display: inline-block;
    margin-inline-end: 0.45em;
    border: 0.25em solid;
    border-radius: 50%;
    vertical-align: 0.1em;
    content: '';
  }
  .good {
    color: var(--_good);
  }
  .wait {
    color: var(--_warn);
  }
  .bad {
    color: var(--_danger);
  }
  .calm {
    color: var(--_muted);
  }
  .blank i {
    display: inline-block;
    inline-size: min(70%, 8em);
    block-size: 0.7em;
    border-radius: 4px;
    background: var(--_still);
    animation: breathe 1.6s ease-in-out infinite;
  }
  .more {
    display: grid;
    justify-items: center;
    padding: calc(var(--_unit) * 3) calc(var(--_unit) * 5);
  }
  .more button {
    min-block-size: 44px;
  }
  .more [aria-disabled] {
    cursor: default;
  }
  .done {
    padding: 0 calc(var(--_unit) * 3);
    border: 0;
    border-radius: var(--_radius);
    background: none;
    color: var(--_muted);
    font-size: 0.875em;
  }
  .done:focus-visible {
    outline: 2px solid var(--_ink);
  }
  .stale {
    padding: 0 calc(var(--_unit) * 5) calc(var(--_unit) * 3);
    color: var(--_warn);
    font-size: 0.875em;
    text-align: center;
  }
  .message {
    min-block-size: 320px;
  }
  @container (inline-size < 720px) {
    table,
    caption,
    tbody,
    tbody tr {
      display: block;
    }
    caption {
      padding: calc(var(--_unit) * 4) calc(var(--_unit) * 4) calc(var(--_unit) * 2);
    }
    thead {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    tbody tr {
      padding: calc(var(--_unit) * 3) calc(var(--_unit) * 4);
      border-block-end: 1px solid var(--_line);
    }
    tbody tr > :nth-child(n) {
      display: grid;
      grid-template-columns: 6.5em minmax(0, 1fr);
      gap: calc(var(--_unit) * 2);
      align-items: baseline;
      justify-items: start;
      inline-size: auto;
      block-size: auto;
      padding: 2px 0;
      min-block-size: 28px;
      border: 0;
      text-align: start;
      overflow-wrap: anywhere;
      white-space: normal;
    }
    tbody :is(th, td)::before {
      content: attr(data-label) / '';
      color: var(--_muted);
      font-size: 0.875em;
      font-weight: 400;
    }
  }
`;
