import { css } from 'lit';

/** The faces that only a donor who acts can come to; fetched with `giving.ts`. */
export const givingStyles = css`
  .blocked {
    display: grid;
    gap: calc(var(--_unit) * 2);
    min-block-size: 208px;
    align-content: center;
  }
  .blocked p {
    color: var(--_muted);
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: calc(var(--_unit) * 2) calc(var(--_unit) * 4);
    align-items: center;
  }
  .spinner {
    inline-size: 1.1em;
    block-size: 1.1em;
    border: 2px solid currentColor;
    border-inline-end-color: transparent;
    border-radius: 50%;
    animation: spin 0.8s linear infinite;
  }
  @keyframes spin {
    to {
      rotate: 1turn;
    }
  }
  .tick {
    inline-size: 56px;
    block-size: 56px;
    color: var(--_ink);
  }
  dl,
  dd {
    margin: 0;
  }
  dl {
    display: grid;
    font-size: 0.875em;
    color: var(--_muted);
  }
  dd {
    font-family: ui-monospace, monospace;
    overflow-wrap: anywhere;
  }
`;
