/**
 * Lit, re-exported by each bundle. A second bundle on the same page imports Lit from the first one,
 * so that the page has one copy of Lit: docs/decisions/0014-element-bundles.md
 */
export { LitElement, css, html, nothing, render } from 'lit';
