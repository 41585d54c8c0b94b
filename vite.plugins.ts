/** What the build does to the elements' sources, and to Lit's, on their way into a bundle. */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

export const ELEMENTS = new URL('./packages/elements/', import.meta.url);
/** The modules that hold the one Lit of a page. */
const LIT = /^lit$/;

/** A file of the elements' sources. */
export const inSource = (path: string): string => fileURLToPath(new URL(`src/${path}`, ELEMENTS));

/** Takes indentation and comments out of the CSS and HTML that stand in template literals. */
export const tightTemplates: Plugin = {
  name: 'tight-templates',
  transform(code, id) {
    if (!id.startsWith(fileURLToPath(ELEMENTS)) || !/\b(css|html)`/.test(code)) return null;
    const tight = code.replace(/\n\s+/g, '\n');
    return { code: tight.replace(/css`([^`]*)`/g, (_, css: string) => tightCss(css)), map: null };
  },
};

const tightCss = (css: string) => {
  const line = css.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' ');
  return `css\`${line
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/([:(]) /g, '$1')
    .replace(/ (\)|!important)/g, '$1')
    .replace(/;}/g, '}')
    .replace(/\b0\.(?=\d)/g, '.')
    .trim()}\``;
};

/** A page carries only the half of Lit's decorators that this project uses. */
export const smallDecorators: Plugin = {
  name: 'small-decorators',
  enforce: 'pre',
  resolveId: (id) => (id === 'lit/decorators.js' ? inSource('bundles/decorators.ts') : null),
  // The compiler's own helper serves classes, methods and parameters too: here fields have decorators.
  transform: (_code, id) =>
    /^\0.*\/helpers\/.*decorate\.js$/.test(id) ? { code: DECORATE_FIELD, map: null } : null,
};

const DECORATE_FIELD =
  'export default (decorators, proto, name) => decorators.forEach((one) => one(proto, name));';

/**
 * Leaves out of Lit what it tells authors of styles, for ours have heard it before they are built; its
 * ways for browsers without shadow trees or constructable style sheets, for one that knows
 * `AbortSignal.any`, which every call takes, has both; and its list of versions on the page.
 */
export const terseLit: Plugin = {
  name: 'terse-lit',
  transform(code, id) {
    if (!/node_modules\/(@lit\/reactive-element|lit-html|lit-element)\//.test(id)) return null;
    const terse = code
      .replace(/("CSSResult|"Value passed to 'css'| Use 'unsafeCSS')[^"]*"/g, '$1"')
      .replace(/\w\.ShadowRoot&&.*?"replace"in CSSStyleSheet\.prototype/, 'true')
      .replace(/\w\.(lit|reactive)\w+(Polyfill|Hydrate)Support/g, 'null')
      .replace(/\(\w\.(lit|reactive)\w+Versions\?\?=\[\]\)\.push\("[\d.]+"\)/g, 'null');
    return { code: terse, map: null };
  },
};

/** Languages are files beside the bundles, under names that the build gives them. */
export const localeNames: Plugin = {
  name: 'locale-names',
  enforce: 'pre',
  // From whatever folder it is asked for.
  resolveId: (id) =>
    /^\.{1,2}\/.*locale-file\.ts$/.test(id) ? inSource('bundles/locale-file.ts') : null,
};

/** Lit comes from another bundle of the page, in place of a copy of one's own. */
export const borrowLit = (file: string): Plugin => ({
  name: 'borrow-lit',
  enforce: 'pre',
  resolveId: (id) => (LIT.test(id) ? { id: `./${file}`, external: true } : null),
});

/** The loader is one function, so that a classic script tag leaks no name into the page. */
export const oneFunction: Plugin = {
  name: 'one-function',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = `(()=>{${file.code.trim()}})();\n`;
    }
  },
};
