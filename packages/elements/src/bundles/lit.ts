/**
 * What a bundle that comes later to the same page borrows, so that there is one Lit on it:
 * docs/decisions/0014-element-bundles.md
 */
export { LitElement, css, html, nothing, render } from 'lit';
