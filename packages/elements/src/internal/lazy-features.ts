/**
 * What only some owners ask for, in one file that only their pages fetch.
 *
 * It imports nothing that the form's own files carry: a module that three files import is cut off
 * into a file of its own, which every page would have to wait for. So the element lends it.
 */
import type { css, html } from 'lit';
import type { warnOnce } from './resolve-server.ts';

export { FormDialog } from './dialog.ts';
export { applyAppearance } from './apply-appearance.ts';
export { followPageTheme } from './page-theme.ts';
export { applyAttributeDefaults } from './attribute-defaults.ts';

export interface SharedDeps {
  html: typeof html;
  css: typeof css;
  currencyDecimals: (currency: string) => number;
  warnOnce: typeof warnOnce;
}
