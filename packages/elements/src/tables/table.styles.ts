import { css } from 'lit';

/** Styles of all tables: rows from 720 px, cards below. */
export const tableStyles = css`
  .frame {
    min-block-size: 320px;
    overflow: clip;
  }
  .frame[inert] {
    --_muted: transparent;
    color: transparent;
  }
  /* Content is hidden until its position is final: columns until it is known which ones are
     shown, rows until the toolbar above is rendered. */
  .frame[inert] thead,
  .tools:empty ~ * {
    visibility: hidden;
  }
  table {
    inline-size: 100%;
    /* Fixed columns, so that they do not move when loading has finished. */
    table-layout: fixed;
    border-spacing: 0;
    font-size: 0.9375em;
  }
  caption {
    font-size: 1.125em;
    font-weight: 650;
    padding: calc(var(--_unit) * 4) calc(var(--_unit) * 5) calc(var(--_unit) * 3);
  }
  th,
  td {
    /* At least 44 px high by its line height: a cell with a set height would be laid out twice. */
    line-height: max(43px - var(--_unit) * 4, 1.5em);
    padding: calc(var(--_unit) * 2) calc(var(--_unit) * 3);
    border-block-end: 1px solid var(--_line);
    text-align: start;
    /* One line per row, so that rows are as tall as their placeholders. Clipped, not
       hidden: every scrollable box costs a layer. */
    overflow: clip;
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
    /* With the padding, tall enough to tap. */
    line-height: 28px;
    color: var(--_muted);
    font-size: 0.875em;
    font-weight: 550;
  }
  tbody th {
    font-weight: 600;
  }
  .sort,
  .open {
    max-inline-size: 100%;
    padding: 0;
    overflow: clip;
    border: 0;
    background: none;
    text-align: inherit;
    text-overflow: ellipsis;
  }
  /* As tall as its cell without making it taller, so that a click beside the text counts, too. */
  .sort {
    display: inline-block;
    padding-block: 8px;
    margin-block: -8px;
  }
  .tools {
    min-block-size: 56px;
  }
  :host([tools*='chart']) .tools {
    min-block-size: 316px;
  }
  /* A text in another direction than the page's keeps its punctuation at the end, and the page's
     alignment. */
  caption,
  td,
  .open {
    unicode-bidi: plaintext;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  .number {
    padding-inline-start: 0;
    unicode-bidi: isolate;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  .muted {
    color: var(--_muted);
  }
  /* Wide enough for texts that are known in advance; the remaining width is for names. */
  .narrow {
    inline-size: max(12em, 14cqi);
  }
  /* Up to two lines in long languages, without making the row taller. */
  time,
  .badge {
    display: inline-block;
    margin-block: -0.4em;
    vertical-align: middle;
    line-height: 1.2;
    white-space: normal;
  }
  /* On the same line as the texts of the other cells. */
  td > :is(time, .badge) {
    display: block;
    inline-size: fit-content;
  }
  .badge {
    position: relative;
    padding-inline-start: 0.95em;
  }
  /* A border remains visible in forced colors. */
  .badge::before {
    position: absolute;
    inset-block-start: calc(0.5lh - 0.25em);
    inset-inline-start: 0;
    border: 0.25em solid;
    border-radius: 50%;
    content: '';
  }
  .badge b {
    display: inline-block;
    font-size: 0.875em;
    padding-inline: 0.4em;
    border: 1px solid;
    border-radius: 4px;
    color: var(--_muted);
  }
  .error {
    color: var(--connect-color-danger, light-dark(#b3261e, #ffb1a8));
  }
  .pending {
    color: var(--_warn);
  }
  .success {
    color: light-dark(#176b3a, #7fdba4);
  }
  .skeleton i {
    display: inline-block;
    /* Not min(): a percentage of a button that is as wide as its content would be zero. */
    inline-size: 8em;
    max-inline-size: 70%;
    block-size: 0.7em;
    border: 1px solid transparent; /* Visible in forced colors. */
    border-radius: 4px;
    background: var(--_fill);
    animation: breathe 1.6s infinite;
  }
  .more {
    display: grid;
    justify-items: center;
    padding: calc(var(--_unit) * 3) calc(var(--_unit) * 5);
  }
  @container (inline-size < 720px) {
    table,
    caption,
    tbody,
    tbody tr {
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
      padding: calc(var(--_unit) * 3) calc(var(--_unit) * 5);
      border-block-end: 1px solid var(--_line);
      /* As tall as its placeholder, also if the session masks some of its lines. */
      min-block-size: calc(var(--_unit) * 6 + var(--_lines) * 28px + 1px);
      align-content: center;
    }
    tbody tr > :nth-child(n) {
      display: grid;
      grid-template-columns: 6.5em minmax(0, 1fr);
      gap: calc(var(--_unit) * 2);
      align-items: baseline;
      justify-items: start;
      inline-size: auto;
      line-height: 1.5;
      padding: 2px 0;
      min-block-size: 28px;
      border: 0;
      text-align: -webkit-match-parent;
      text-align: match-parent;
      overflow-wrap: anywhere;
      white-space: normal;
    }
    time,
    .badge {
      margin: 0;
      line-height: 1.5;
    }
    /* By a class: with the container query alone, a browser would evaluate every cell of wide
       tables, too. */
    .cards tbody :is(th, td)::before {
      content: attr(data-label) / '';
      color: var(--_muted);
      font-size: 0.875em;
      font-weight: 400;
    }
  }
  /* With large text on a phone a label has its own line. */
  @container (inline-size < 16em) {
    tbody tr > :nth-child(n) {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
    tbody tr > :nth-child(n + 2) {
      padding-block-start: calc(var(--_unit) * 2);
    }
  }
`;
