import { css } from 'lit';

/** Styles of the thank-you page. */
export const thankYouStyles = css`
  .checkmark {
    inline-size: 56px;
    block-size: 56px;
    color: var(--_ink);
  }
  h2:focus {
    outline: none;
  }
  .frame {
    scroll-margin-block: calc(var(--_unit) * 3);
  }
  .thank-you {
    grid-template-columns: minmax(0, 1fr);
    padding: calc(var(--_unit) * 3) 0 0;
  }
  .thank-you h2 {
    font-size: 1.75em;
    letter-spacing: -0.02em;
  }
  .thank-you h2 + p {
    color: inherit;
    text-wrap: balance;
  }
  /* As high as the checkmark, which it replaces. Most logos are made for a white background. */
  .logo {
    block-size: 56px;
    max-inline-size: 168px;
    padding: 4px;
    object-fit: contain;
    border-radius: 8px;
    background: light-dark(transparent, #fff);
  }
  .thank-you .impact {
    display: grid;
    gap: var(--_unit);
    inline-size: 100%;
    max-inline-size: none;
    margin-block-start: calc(var(--_unit) * 2);
    padding: calc(var(--_unit) * 5) calc(var(--_unit) * 4);
    border-radius: var(--_radius);
    background: var(--_soft);
    color: inherit;
    text-align: center;
    text-wrap: balance;
  }
  .impact strong {
    color: var(--_ink);
    font-size: 2.25em;
    line-height: 1.1;
    letter-spacing: -0.02em;
    font-variant-numeric: tabular-nums;
  }
  dl {
    inline-size: 100%;
    margin-block: calc(var(--_unit) * 2);
    padding: var(--_unit) calc(var(--_unit) * 4);
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    font-size: 0.875em;
    text-align: start;
  }
  dl div {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 calc(var(--_unit) * 4);
    padding-block: calc(var(--_unit) * 2.5);
  }
  dl div + div {
    border-block-start: 1px solid var(--_line);
  }
  dt {
    color: var(--_muted);
  }
  .thank-you dd {
    margin: 0;
    margin-inline-start: auto;
    font-variant-numeric: tabular-nums;
    text-align: end;
  }
  dl:not(.with-fee) div:first-child dd,
  .with-fee div:nth-child(3) dd {
    font-weight: 600;
  }
  /* Gift and fee, the parts of the total, are one group. */
  .with-fee div:nth-child(2) {
    padding-block-start: 0;
    border-block-start: 0;
  }
  .thank-you .primary {
    inline-size: 100%;
  }
  .thank-you .field {
    inline-size: 100%;
    text-align: start;
  }
  .links {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: var(--_unit) calc(var(--_unit) * 5);
    font-size: 0.9375em;
  }
  .links > * {
    padding-block: calc(var(--_unit) * 2);
    text-align: center;
  }
  .links a {
    flex-basis: 100%;
  }
  @media print {
    .thank-you .primary,
    .links {
      display: none;
    }
  }
`;
