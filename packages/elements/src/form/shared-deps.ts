import type { css, html } from 'lit';
import type { warnOnce } from '../shared/resolve-server.ts';

/** Modules of the form's bundle that the optional features use: `lazy-features.ts`. */
export interface SharedDeps {
  html: typeof html;
  css: typeof css;
  currencyDecimals: (currency: string) => number;
  warnOnce: typeof warnOnce;
}
