import { css } from 'lit';

/** Styles of the chart. They use the design tokens (custom properties) of the surrounding table. */
export const chartStyles = css`
  :host {
    display: block;
    inline-size: 100%;
    min-inline-size: 0;
    /* The height that the table reserves for the chart, so that nothing moves when it loads. */
    min-block-size: 300px;
    container-type: inline-size;
  }
  *,
  *::before {
    box-sizing: border-box;
  }
  figure,
  p {
    margin: 0;
  }
  figcaption {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 calc(var(--_unit) * 4);
  }
  .title {
    font-weight: 650;
    unicode-bidi: plaintext;
  }
  .legend {
    color: var(--_muted);
    font-size: 0.875em;
  }
  .legend::before {
    display: inline-block;
    inline-size: 0.8em;
    block-size: 0.8em;
    margin-inline-end: 0.45em;
    border: 1.5px solid var(--_ink);
    content: '';
  }
  .summary {
    display: flex;
    flex-wrap: wrap;
    gap: 0 calc(var(--_unit) * 4);
    align-content: start;
    /* The height of the longest text, so that nothing moves from bar to bar. */
    min-block-size: 1.5em;
    color: var(--_muted);
    font-size: 0.9375em;
    font-variant-numeric: tabular-nums;
  }
  .summary bdi {
    white-space: nowrap;
  }
  .summary strong {
    color: var(--_text);
    font-weight: 600;
  }
  .plot {
    display: grid;
    grid-template: 160px 1.75em / minmax(2.5em, auto) minmax(0, 1fr);
    column-gap: calc(var(--_unit) * 2);
    padding-block-start: 0.6em;
  }
  .scale {
    display: flex;
    flex-direction: column-reverse;
    justify-content: space-between;
  }
  .scale span {
    display: flex;
    justify-content: end;
    /* Centers the label vertically on its grid line. */
    margin-block: -0.7em;
    color: var(--_muted);
    font-size: 0.75em;
    line-height: 1.4;
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  .bars {
    display: block;
    overflow: visible;
  }
  .bars.rtl {
    transform: scaleX(-1);
  }
  line {
    stroke: var(--_line);
  }
  .hit-area {
    fill: transparent;
  }
  .active .hit-area {
    fill: var(--_fill);
  }
  .gross {
    fill: var(--_ink);
  }
  .refunded {
    fill: var(--_background);
    stroke: var(--_ink);
    stroke-width: 1.5px;
  }
  .bar:focus {
    outline: none;
  }
  .bar:focus-visible .hit-area {
    stroke: var(--_ink);
    stroke-width: 2px;
  }
  .labels {
    position: relative;
    grid-column: 2;
  }
  .labels span {
    display: flex;
    position: absolute;
    justify-content: center;
    inline-size: 0;
    padding-block-start: 0.4em;
  }
  .labels b {
    color: var(--_muted);
    font-size: 0.75em;
    font-weight: 400;
    white-space: nowrap;
  }
  .labels span:first-child:not(:only-child) {
    justify-content: flex-start;
    inset-inline-start: 0 !important;
  }
  .labels span:last-child:not(:only-child) {
    justify-content: flex-end;
    inset-inline: auto 0 !important;
  }
  summary {
    inline-size: fit-content;
    padding-block: calc(var(--_unit) * 1);
    color: var(--_ink);
    font-size: 0.875em;
    cursor: pointer;
  }
  @media (pointer: coarse) {
    summary {
      padding-block: calc(22px - 0.75em);
    }
  }
  :is(summary, .secondary):focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: 2px;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 0.875em;
    font-variant-numeric: tabular-nums;
  }
  caption {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  th,
  td {
    padding: calc(var(--_unit) * 1.5) calc(var(--_unit) * 2);
    border-block-end: 1px solid var(--_line);
    text-align: end;
    white-space: nowrap;
  }
  th {
    font-weight: 600;
  }
  :is(th, td):first-child {
    padding-inline-start: 0;
    text-align: start;
  }
  thead th {
    color: var(--_muted);
    font-weight: 550;
  }
  .skeleton {
    block-size: 280px;
    border-radius: 4px;
    background: var(--_fill);
    animation: breathe 1.6s infinite;
  }
  .empty {
    display: grid;
    place-content: center;
    justify-items: center;
    gap: calc(var(--_unit) * 3);
    min-block-size: 280px;
    color: var(--_muted);
  }
  .secondary {
    min-block-size: 44px;
    padding: calc(var(--_unit) * 2) calc(var(--_unit) * 5);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    background: transparent;
    color: var(--_text);
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }
  @keyframes breathe {
    50% {
      opacity: 0.5;
    }
  }
  @container (inline-size < 860px) {
    .summary {
      min-block-size: 3em;
    }
  }
  @container (inline-size < 480px) {
    .summary {
      min-block-size: 6em;
    }
  }
  @container (inline-size < 560px) {
    table,
    tbody,
    tbody :is(tr, th) {
      display: block;
    }
    thead {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    tbody tr {
      padding-block: calc(var(--_unit) * 2);
      border-block-end: 1px solid var(--_line);
    }
    tbody :is(th, td) {
      padding: 1px 0;
      border: 0;
    }
    tbody td {
      display: flex;
      justify-content: space-between;
      gap: calc(var(--_unit) * 3);
    }
    tbody td::before {
      content: attr(data-label) / '';
      color: var(--_muted);
    }
    .labels span:nth-child(even):not(:last-child) {
      display: none;
    }
  }
  /* With large text on a phone. */
  @container (inline-size < 14em) {
    .summary bdi,
    tbody td {
      flex-wrap: wrap;
      white-space: normal;
    }
    .labels span:not(:first-child) {
      display: none;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .skeleton {
      animation: none;
    }
  }
  @media (forced-colors: active) {
    .gross {
      fill: CanvasText;
    }
    .refunded {
      fill: Canvas;
      stroke: CanvasText;
    }
    line {
      stroke: GrayText;
    }
    .active .hit-area {
      fill: transparent;
      stroke: GrayText;
    }
    .bar:focus-visible .hit-area {
      stroke: Highlight;
    }
  }
`;
