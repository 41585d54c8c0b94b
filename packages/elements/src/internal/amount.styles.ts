import { css } from 'lit';

/** The amounts to choose from: radio buttons that look like what they are for. */
export const amountStyles = css`
  .presets {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(max(4.6em, 22%), 1fr));
    gap: calc(var(--_unit) * 2);
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
    overflow-wrap: anywhere;
    transition:
      background-color 0.12s,
      border-color 0.12s;
  }
  .preset:hover span {
    background: var(--_still);
  }
  .preset input:checked + span {
    border-color: var(--_ink);
    box-shadow: inset 0 0 0 1px var(--_ink);
    background: var(--_soft);
    color: var(--_ink);
  }
  .preset input:focus-visible + span {
    outline: 2px solid var(--_ink);
    outline-offset: 1px;
  }
  .invalid .preset span {
    border-color: var(--_danger);
  }
  /* No row with one choice left over. */
  @container (inline-size >= 390px) {
    .often:has(:nth-child(4)) {
      grid-template-columns: 1fr 1fr;
    }
    .presets:has(:nth-child(5)) {
      grid-template-columns: repeat(3, 1fr);
    }
  }
  @container (inline-size < 390px) {
    .presets {
      grid-template-columns: repeat(2, minmax(0, 1fr));
    }
  }
  .often {
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 7.5em), 1fr));
  }
  @media (forced-colors: active) {
    .preset input:checked + span {
      border: 3px solid Highlight;
      forced-color-adjust: none;
      background: Canvas;
      color: CanvasText;
      box-shadow: none;
    }
    .preset input:focus-visible + span {
      outline-color: Highlight;
    }
  }
`;
