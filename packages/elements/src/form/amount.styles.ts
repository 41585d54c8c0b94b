import { css } from 'lit';

/** Styles of the preset amounts and frequencies: radio buttons that are styled as buttons. */
export const amountStyles = css`
  /* Labels do not wrap: a row has as many columns as the longest label allows. */
  .presets {
    display: grid;
    grid-template-columns: repeat(
      auto-fit,
      minmax(min(100%, max(var(--_letters) * 0.65em + var(--_unit) * 4, var(--_min, 22%))), 1fr)
    );
    gap: calc(var(--_unit) * 2);
  }
  /* Four long labels are in two rows of two. */
  .presets:where(:has(:nth-child(4))) {
    --_min: clamp(22%, (var(--_letters) - 8) * 100%, 40%);
  }
  .preset {
    position: relative;
    display: grid;
    min-inline-size: 0;
  }
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
    min-inline-size: 0;
    min-block-size: 48px;
    padding: var(--_unit) calc(var(--_unit) * 2);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    text-align: center;
  }
  .preset input:checked + span {
    border-color: var(--_ink);
    box-shadow: inset 0 0 0 1px var(--_ink);
    background: var(--_soft);
    color: var(--_ink);
  }
  /* The radio button itself is transparent, and with it the browser's own focus outline. */
  .preset input:focus-visible + span {
    outline: 2px solid var(--_ink);
    outline-offset: 1px;
  }
  @media (forced-colors: active) {
    .preset input:focus-visible + span {
      outline-color: Highlight;
    }
    .preset input:checked + span {
      forced-color-adjust: none;
      border-color: SelectedItem;
      background: SelectedItem;
      color: SelectedItemText;
      box-shadow: none;
    }
  }
  /* Amounts with texts are rows: the amount, and beside it what it achieves. */
  .presets:has(small) {
    grid-template-columns: 1fr;
    span {
      grid-template-columns: calc(var(--_letters) * 0.7em) 1fr;
      gap: calc(var(--_unit) * 3);
      padding-inline: calc(var(--_unit) * 4);
      place-items: center start;
      text-align: start;
    }
    small {
      font-weight: 400;
    }
  }
  /* With five options, no row has a single one. */
  @container (inline-size >= 390px) {
    .presets:has(:nth-child(5)) {
      --_min: 30%;
    }
  }
  @container (inline-size < 390px) {
    .presets {
      --_min: 40%;
    }
  }
  .frequency:has(:nth-child(4)) {
    --_min: 40%;
  }
`;
