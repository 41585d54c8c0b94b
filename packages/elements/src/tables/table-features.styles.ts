import { css } from 'lit';
import { messageStyles } from '../shared/message.styles.ts';
import { textStyles } from '../shared/text.styles.ts';
import { printStyles } from './print.styles.ts';
import { toolbarStyles } from './toolbar.styles.ts';
import { totalsStyles } from './totals.styles.ts';

/**
 * Styles of everything that loads after the first rows. They must not move anything that is already
 * rendered.
 */
export const tableFeaturesStyles = css`
  ${textStyles}
  ${messageStyles}
  .secondary:hover {
    background: var(--_fill);
  }
  .secondary:focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: 2px;
  }
  @media (forced-colors: active) {
    .secondary:focus-visible {
      outline-color: Highlight;
    }
  }
  .message {
    min-block-size: 320px;
  }
  /* Spacers of virtual scrolling: rows-window.ts keeps the position instead, and explains why. */
  .spacer,
  .spacer ~ tbody,
  tbody:has(+ .spacer) {
    overflow-anchor: none;
  }
  /* The doubled class overrides the card layout. A spacer has only its own height. */
  .spacer.spacer[hidden] {
    display: none;
  }
  .spacer.spacer :is(tr, td) {
    min-block-size: 0;
    padding: 0;
    border: 0;
  }
  th[aria-sort] .sort::after {
    content: ' ↑' / '';
  }
  th[aria-sort='descending'] .sort::after {
    content: ' ↓' / '';
  }
  .title {
    font-size: 1.125em;
    font-weight: 650;
  }
  :is(caption, .title, .note, dt) {
    overflow-wrap: anywhere;
  }
  tbody tr:hover {
    background: var(--_fill);
  }
  :is(.sort, .open, .done):focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: -2px;
  }
  .print-only {
    display: none;
  }
  .open:hover {
    text-decoration: underline;
  }
  /* The details button of a cell with custom content is visible only with keyboard focus. */
  th:has(> .open:not(:only-child)) {
    position: relative;
  }
  .open:not(:only-child) {
    position: absolute;
    inset-block: 0;
    inset-inline-end: 0;
    padding: 0 calc(var(--_unit) * 3);
    background: var(--_background);
  }
  .open:not(:only-child):not(:focus-visible) {
    inline-size: 1px;
    padding: 0;
    clip-path: inset(50%);
  }
  .new-row {
    animation: arrive 2.4s ease-out;
  }
  @keyframes arrive {
    from {
      background: color-mix(in oklab, var(--_primary) 22%, var(--_background));
    }
  }
  .stale {
    padding: 0 calc(var(--_unit) * 5) calc(var(--_unit) * 3);
    color: var(--_warn);
    font-size: 0.875em;
    text-align: center;
  }
  .pager {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    align-items: center;
    gap: calc(var(--_unit) * 2) calc(var(--_unit) * 3);
    padding: calc(var(--_unit) * 3) calc(var(--_unit) * 5);
    white-space: nowrap;
  }
  .pager .secondary {
    padding-inline: calc(var(--_unit) * 3);
  }
  .done {
    border: 0;
    color: var(--_muted);
    font-size: 0.875em;
    font-weight: 400;
  }
  .more [aria-disabled] {
    cursor: default;
  }
  .pager [aria-disabled] {
    opacity: 0.5;
    cursor: default;
  }
  ${toolbarStyles}
  ${totalsStyles}
  .chart {
    inline-size: 100%;
    min-block-size: 300px;
  }
  @container (inline-size < 540px) {
    .chart {
      min-block-size: 372px;
    }
  }
  progress {
    accent-color: var(--_ink);
  }
  dialog {
    position: fixed;
    inset-block: 0;
    inset-inline: auto 0;
    inline-size: min(30em, 100vw);
    max-inline-size: none;
    block-size: 100dvh;
    max-block-size: none;
    margin: 0;
    padding: calc(var(--_unit) * 6);
    overflow: auto;
    border: 0;
    border-inline-start: 1px solid var(--_line);
    background: var(--_background);
    color: var(--_text);
  }
  /* Container queries inside depend on the dialog's width, not the table's. */
  dialog {
    container-type: inline-size;
  }
  dialog tbody :is(th, td)::before {
    content: attr(data-label) / '';
    color: var(--_muted);
    font-size: 0.875em;
    font-weight: 400;
  }
  dialog :is(caption, tbody tr) {
    padding-inline: 0;
  }
  .total :is(th, td) {
    font-weight: 600;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 40%);
  }
  dialog header {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    align-items: center;
    gap: calc(var(--_unit) * 3);
  }
  dl {
    display: grid;
    /* In a narrow dialog a long label wraps, so that the value has space. */
    grid-template-columns: fit-content(45%) minmax(0, 1fr);
    gap: calc(var(--_unit) * 2) calc(var(--_unit) * 4);
    margin-block-end: 0;
  }
  dt {
    color: var(--_muted);
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  @container (inline-size < 16em) {
    dl {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
    dd {
      margin-block-end: calc(var(--_unit) * 2);
    }
  }
  dialog dl ~ .note {
    margin-block-start: calc(var(--_unit) * 4);
  }
  .note .secondary {
    margin-block-start: calc(var(--_unit) * 2);
  }
  @media (pointer: coarse) {
    .totals summary {
      padding-block: calc(22px - 0.75em);
      margin-block: calc(0.75em - 22px);
    }
  }
  ${printStyles}
`;
