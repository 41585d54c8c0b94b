import { css } from 'lit';

/** Styles of the `theme` attribute. For `auto`, `page-theme.ts` sets the scheme of the page instead. */
export const themeStyles = css`
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  :host([theme='auto']) {
    color-scheme: light dark;
  }
`;
