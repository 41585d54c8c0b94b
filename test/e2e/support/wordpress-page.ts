import { readFileSync } from 'node:fs';
import type { Addresses } from '../../support/system.ts';

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

/** The snippet of README.md with the addresses of the running system. */
export const snippetOfReadme = ({ server }: Addresses) =>
  /^```html\n(.*?)^```$/ms.exec(README)![1]!.replaceAll('http://localhost:4100', server);

/** The snippet without the style that reserves the form's height. */
export const bareSnippet = (system: Addresses) =>
  snippetOfReadme(system).replace(/<style>.*<\/style>/s, '');

/**
 * Layout and fonts of WordPress's default theme: constrained columns, spacing relative to the
 * viewport.
 */
const THEME = `
  * { box-sizing: border-box }
  body { margin: 0; font: 300 clamp(1rem, 1rem + (1vw - 0.2rem) * 0.196, 1.125rem)/1.4 sans-serif; letter-spacing: -0.1px }
  .has-global-padding { padding-inline: clamp(30px, 5vw, 50px) }
  .is-layout-constrained > :where(:not(.alignwide, .alignfull)) { max-width: 645px; margin-inline: auto !important }
  :where(.is-layout-constrained) > * { margin-block: 1.2rem 0 }
  h1 { font-size: clamp(2.15rem, 2.15rem + 1vw, 3rem); font-weight: 400; line-height: 1.125 }
  main { margin-block-start: clamp(30px, 7vw, 70px) }`;

const paragraphs = (count: number) =>
  `<p>${'Every meal is cooked by volunteers from the neighborhood. '.repeat(6)}</p>`.repeat(count);

/** A WordPress page: a title, a paragraph, the form in an HTML block, and text below it. */
export const wordpressPage = (snippet: string) => `<style>${THEME}</style>
  <div class="wp-site-blocks">
    <header class="has-global-padding is-layout-constrained"><p><a href="/">Harbor Street</a></p></header>
    <main class="has-global-padding is-layout-constrained">
      <h1 class="wp-block-post-title">Give a meal</h1>
      <div class="entry-content is-layout-constrained">${paragraphs(1)}${snippet}${paragraphs(8)}</div>
    </main>
  </div>`;
