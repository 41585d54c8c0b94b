/**
 * Lit, re-exported by each bundle. A second bundle on the same page imports Lit from the first one,
 * so that the page has one copy of Lit: docs/decisions/0014-element-bundles.md
 */
export { html, nothing, render } from 'lit-html';
export { ConnectElement } from '../shared/connect-element.ts';
export { css } from '../shared/css.ts';
