import { css } from 'lit';

/** Styles of the ink color and of text direction. */
export const textStyles = css`
  :host {
    --_ink: var(--_primary);
  }
  /* The primary color, made as dark or as light as lines and text on the background require. */
  @supports (color: oklch(from red l c h)) {
    :host {
      --_ink: light-dark(
        oklch(from var(--_primary) min(l, 0.52) c h),
        oklch(from var(--_primary) max(l, 0.74) c h)
      );
    }
  }
  /* A text in another direction than the page's keeps its punctuation at the end, and the page's
     alignment. */
  :is(
    h2,
    p,
    p > span,
    label,
    label > span,
    .symbol,
    small,
    a,
    .link,
    dd,
    legend,
    .banner,
    .primary,
    caption
  ) {
    unicode-bidi: plaintext;
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
`;
