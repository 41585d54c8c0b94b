import { css } from 'lit';

/** Styles of the card fields' container and placeholder, and of the whole form's placeholder. */
export const cardStyles = css`
  .stage {
    display: grid;
    min-block-size: 208px;
  }
  .stage > * {
    grid-area: 1 / 1;
    min-inline-size: 0;
  }
  .waiting {
    visibility: hidden;
  }
  .outline {
    display: grid;
    grid-template-columns: 1fr 1fr;
    align-content: start;
    align-items: end;
    gap: calc(var(--_unit) * 3.5) calc(var(--_unit) * 3);
    color: var(--_muted);
    font-size: 0.875em;
    line-height: 1.4;
    word-break: keep-all;
    cursor: text;
  }
  .line::after {
    display: block;
    box-sizing: border-box;
    block-size: 44px;
    margin-block-start: calc(var(--_unit) * 1.25);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    content: '';
  }
  .long {
    grid-column: 1 / -1;
  }
  /* In a font so large that two labels do not fit beside each other. */
  @container (inline-size < 14em) {
    .outline {
      grid-template-columns: minmax(0, 1fr);
      overflow-wrap: anywhere;
    }
  }
  .ghost {
    gap: calc(var(--_unit) * 5);
  }
  .ghost,
  .card[aria-busy='true'] .line::after {
    animation: breathe 1.6s ease-in-out infinite;
  }
  .ghost :is(h2, .purpose, legend, .hint, .fine span) {
    inline-size: fit-content;
  }
  .ghost :is(h2, .purpose, legend, .hint, .fine span, .preset span, .box, .give) {
    border-color: transparent;
    border-radius: var(--_radius);
    background: var(--_still);
    color: transparent;
  }
  .ghost :is(label, .mark, .line, .fine, .required, .test) {
    color: transparent;
  }
`;
