/**
 * The renderer and the base class, re-exported by each bundle. A second bundle on the same page imports
 * them from the first one, so that the page loads them once: docs/decisions/0014-element-bundles.md
 */
export { html, nothing, render } from '../shared/html.ts';
export { ConnectElement } from '../shared/connect-element.ts';
export { css } from '../shared/css.ts';
