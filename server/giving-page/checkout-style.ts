/**
 * The style sheet of the form for donors without JavaScript, like that of the element:
 * `packages/elements/src/form/connect-donate.styles.ts`.
 */
export const CHECKOUT_STYLE = `
  .checkout {
    --edge: color-mix(in oklab, var(--text) 54%, var(--surface));
    --warn: light-dark(#8a5300, #f5c26b);
    --danger: light-dark(#b3261e, #ffb1a8);
    --ink: var(--accent);
    gap: 20px;
  }
  .checkout h2 { font-size: 1.375rem; font-weight: 600; line-height: 1.25; text-wrap: balance }
  .test {
    place-self: start end;
    margin-block: -28px -8px;
    padding-inline: 10px;
    border: solid currentColor;
    border-width: 0 1px 1px;
    border-radius: 0 0 8px 8px;
    font-size: 0.8125rem;
  }
  .checkout .test { color: var(--warn) }
  /* A text in another direction than the page's keeps the page's alignment. */
  .checkout [dir='auto'] { text-align: -webkit-match-parent; text-align: match-parent }
  .checkout .preset [dir='auto'] { text-align: center }
  fieldset, .field { grid-template-columns: minmax(0, 1fr) }
  fieldset { display: grid; gap: 12px; min-inline-size: 0; margin: 0; padding: 0; border: 0 }
  legend { padding: 0; margin-block-end: 8px; font-weight: 600 }
  .field { display: grid; gap: 6px }
  .field label { font-size: 0.875rem; font-weight: 600 }
  .optional { color: var(--muted); font-weight: 400 }
  .hint, .problem { font-size: 0.875rem }
  .checkout .problem { color: var(--danger); font-weight: 600 }
  .checkout .banner { color: var(--text); font-weight: 400 }
  .banner {
    padding: 12px 16px;
    border: 1px solid var(--line);
    border-inline-start: 4px solid var(--danger);
    border-radius: 10px;
    background: color-mix(in oklab, var(--danger) 7%, var(--surface));
  }
  .control {
    display: flex;
    align-items: center;
    min-block-size: 48px;
    border: 1px solid var(--edge);
    border-radius: 10px;
    background: var(--surface);
  }
  .control:has([aria-invalid]) { border-color: var(--danger) }
  .control:focus-within, .preset input:focus-visible + span {
    outline: 2px solid var(--primary);
    outline-offset: 1px;
  }
  .control > :is(input, select, textarea) {
    flex: 1;
    align-self: stretch;
    min-inline-size: 0;
    padding: 4px 12px;
    border: 0;
    border-radius: inherit;
    outline: 0;
    background: transparent;
    font: inherit;
    color: inherit;
  }
  .control > select { margin-inline-end: 8px }
  .control > textarea { padding-block: 10px }
  .symbol { padding-inline: 12px; color: var(--muted) }
  .symbol + input, input + .symbol { padding-inline-start: 0 }
  .presets { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 6rem), 1fr)); gap: 8px }
  .preset:has([value='other']) { grid-column: 1 / -1 }
  .presets:has(small) { grid-template-columns: 1fr }
  .preset { position: relative; display: grid }
  .preset input {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .preset span {
    display: grid;
    place-items: center;
    min-block-size: 48px;
    padding: 4px 8px;
    border: 1px solid var(--edge);
    border-radius: 10px;
    font-weight: 600;
    font-variant-numeric: tabular-nums;
  }
  .preset small { font-weight: 400 }
  .preset:hover span { background: color-mix(in oklab, var(--text) 7%, var(--surface)) }
  .preset input:checked + span {
    border-color: var(--ink);
    box-shadow: inset 0 0 0 1px var(--ink);
    background: color-mix(in oklab, var(--accent) 9%, var(--surface));
  }
  /* Old browsers show the field for another amount at all times. */
  @supports selector(:has(a)) {
    .presets:not(:has([value='other']:checked)) ~ .other { display: none }
  }
  .checkbox { display: flex; gap: 12px; align-items: start }
  .checkbox input { flex: none; inline-size: 24px; block-size: 24px; margin: 0; accent-color: var(--accent) }
  .checkout button {
    min-block-size: 54px;
    padding: 8px 20px;
    border: 1px solid transparent;
    border-radius: 10px;
    background: var(--accent);
    color: light-dark(#fff, #0e1113);
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }
  @supports (color: oklch(from red l c h)) {
    .checkout {
      --ink: light-dark(oklch(from var(--accent) min(l, 0.52) c h), oklch(from var(--accent) max(l, 0.74) c h));
    }
    .checkout button { color: oklch(from var(--accent) clamp(0, (0.67 - l) * 1000, 1) 0 h) }
  }
  .checkout button:is(:hover, :active) { filter: brightness(0.94) }
  @media (max-width: 26rem) { .test { margin-block-start: -24px } }
  @media (forced-colors: active) { .preset input:checked + span { outline: 3px solid Highlight } }
`;
