import { css } from 'lit';

/** Styles of the goal meter. */
export const goalStyles = css`
  :host {
    inline-size: auto;
    min-inline-size: 0;
    max-inline-size: max(30rem, 480px);
    container-type: normal;
    text-align: start;
  }
  [part='frame'] {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    align-items: end;
    gap: calc(var(--_unit) * 3);
    padding: calc(var(--_unit) * 5) calc(var(--_unit) * 6);
  }
  p {
    overflow-wrap: anywhere;
  }
  /* With large text, not wider than a phone or a narrow container of the page. */
  [part='amount'] {
    display: block;
    min-block-size: 1.25em;
    font-size: min(1.5em, 12cqi);
    line-height: 1.25;
    letter-spacing: -0.011em;
  }
  [part='description'] {
    display: block;
    min-block-size: 1.5em;
  }
  [part='percentage'] {
    font-weight: 600;
  }
  [part='meter'] {
    flex-basis: 100%;
    box-sizing: border-box;
    block-size: 14px;
    padding: 1px;
    overflow: hidden;
    border: 1px solid var(--_edge);
    border-radius: 9px;
  }
  [part='bar'] {
    block-size: 100%;
    inline-size: 100%;
    max-inline-size: var(--_share, 0%);
    border-radius: 6px;
    background: var(--_ink);
    transition: max-inline-size 0.6s ease-out;
  }
  .no-goal [part='meter'],
  .no-goal [part='percentage'],
  .failed:not(.has-fallback) {
    visibility: hidden;
  }
  slot,
  .failed.has-fallback > :not(slot) {
    display: none;
  }
  .failed.has-fallback slot {
    display: block;
    flex-basis: 100%;
  }
  @media (forced-colors: active) {
    [part='bar'] {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;
