import { css } from 'lit';

/** Styles of views that consist of a message. */
export const messageStyles = css`
  .message {
    display: grid;
    justify-items: center;
    align-content: center;
    gap: calc(var(--_unit) * 3);
    padding: calc(var(--_unit) * 8) calc(var(--_unit) * 5);
    text-align: center;
  }
  .message p {
    max-inline-size: 26em;
    color: var(--_muted);
    text-wrap: pretty;
  }
  .message .secondary {
    margin-block-start: calc(var(--_unit) * 2);
  }
`;
