import { css } from 'lit';
import { cardLabels } from './print.styles.ts';

/** Styles of the details elements, in addition to those of the table and its details dialog. */
export const detailsStyles = css`
  .frame > .title {
    padding: calc(var(--_unit) * 4) calc(var(--_unit) * 5) 0;
  }
  dl {
    margin: calc(var(--_unit) * 4) calc(var(--_unit) * 5) calc(var(--_unit) * 5);
  }
  .skeleton i {
    max-inline-size: 100%;
  }
  .note {
    padding: calc(var(--_unit) * 4) calc(var(--_unit) * 5) calc(var(--_unit) * 5);
    color: var(--_muted);
  }
  a {
    color: var(--_ink);
  }
  a:focus-visible {
    outline: 2px solid var(--_ink);
    outline-offset: 2px;
  }
  ${cardLabels}
  @container (inline-size < 360px) {
    dl {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
    dt:not(:first-child) {
      margin-block-start: calc(var(--_unit) * 2);
    }
  }
`;
