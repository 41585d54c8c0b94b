import { css } from 'lit';

/** Styles of the containers and placeholders of the wallet buttons and payment fields, and of the whole form's placeholder. */
export const paymentFieldsStyles = css`
  /* One row of buttons: wallet.ts. */
  .wallet {
    min-block-size: 48px;
    border-radius: var(--_radius);
  }
  .wallet.loading {
    background: var(--_fill);
  }
  .wallet.empty + .or {
    visibility: hidden;
  }
  .or {
    display: flex;
    align-items: center;
    gap: calc(var(--_unit) * 3);
    color: var(--_muted);
    font-size: 0.875em;
    text-align: center;
  }
  .or::before,
  .or::after {
    flex: 1;
    border-block-start: 1px solid var(--_line);
    content: '';
  }
  .payment-area {
    display: grid;
    min-block-size: 13em;
  }
  .choice {
    min-block-size: 18.25em;
  }
  .payment-area > * {
    grid-area: 1 / 1;
    min-inline-size: 0;
  }
  .waiting {
    visibility: hidden;
  }
  .card-skeleton {
    display: grid;
    grid-template-columns: 1fr 1fr;
    align-content: start;
    align-items: end;
    gap: calc(var(--_unit) * 3.5) calc(var(--_unit) * 3);
    font-size: 0.875em;
    font-weight: 600;
    line-height: 1.4;
    word-break: keep-all;
    cursor: text;
  }
  .skeleton-field::after {
    display: block;
    box-sizing: border-box;
    block-size: calc(1.714em + 24px); /* That of Stripe's fields. */
    margin-block-start: calc(var(--_unit) * 1.25);
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    content: '';
  }
  .wide {
    grid-column: 1 / -1;
  }
  /* With large text on a phone, where two labels do not fit beside each other. */
  @container (inline-size < 16em) {
    .frame {
      hyphens: auto;
    }
    .card-skeleton {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  .skeleton {
    gap: calc(var(--_unit) * 5);
  }
  .skeleton header {
    margin-inline: 0;
    padding-inline: 0;
  }
  .skeleton,
  .payment[aria-busy='true'] .skeleton-field::after {
    animation: breathe 1.6s ease-in-out infinite;
  }
  .skeleton :is(h2, .purpose, legend, .hint, .fine-print span) {
    inline-size: fit-content;
  }
  .skeleton :is(h2, .purpose, legend, .hint, .fine-print span, .option > span, .control, .primary) {
    border-color: transparent;
    border-radius: var(--_radius);
    background: var(--_fill);
    color: transparent;
  }
  .skeleton .skeleton-field::after {
    border-color: transparent;
    background: var(--_fill);
  }
  .skeleton :is(label, .symbol, .skeleton-field, .fine-print, .required, .or) {
    color: transparent;
  }
  /* Transparent text would be shown. */
  @media (forced-colors: active) {
    .skeleton > * {
      visibility: hidden;
    }
  }
`;
