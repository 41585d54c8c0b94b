import { css } from 'lit';

/** Column labels in cells for views without the `cards` class: print and details. */
export const cardLabels = css`
  @container (inline-size < 720px) {
    tbody :is(th, td)::before {
      content: attr(data-label) / '';
      color: var(--_muted);
      font-size: 0.875em;
      font-weight: 400;
    }
  }
`;

/** Print styles of a table. */
export const printStyles = css`
  @media print {
    ${cardLabels}
    /* Totals and charts are printed, controls are not. */
    .tools > :not(.totals, .chart),
    .more,
    .pager,
    .stale,
    summary {
      display: none;
    }
    .tools,
    .totals,
    .chart {
      min-block-size: 0;
    }
    .totals :is(details, div) {
      position: static;
      max-inline-size: none;
      max-block-size: none;
    }
    .totals details {
      grid-column: 1 / -1;
      justify-self: start;
    }
    .totals ::details-content {
      content-visibility: visible;
    }
    .print-only {
      display: block;
      padding: calc(var(--_unit) * 3) calc(var(--_unit) * 5);
    }
    .frame {
      border: 0;
    }
    thead {
      display: table-header-group;
    }
    tr {
      break-inside: avoid;
    }
  }
`;
