/** Vite plugins that make the elements' bundles smaller. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

export const ELEMENTS = new URL('./packages/elements/', import.meta.url);
/** Modules whose Lit copy is shared by all bundles of a page. */
const LIT = /^lit-html$|\/(connect-element|css)\.ts$/;

/** The path of a file in the elements' sources. */
export const inSource = (path: string): string => fileURLToPath(new URL(`src/${path}`, ELEMENTS));

/** Removes indentation and comments from CSS and HTML in template literals. */
export const tightTemplates: Plugin = {
  name: 'tight-templates',
  transform(code, id) {
    if (!id.startsWith(fileURLToPath(ELEMENTS)) || !/\b(css|html)`/.test(code)) return null;
    const tight = code.replace(/\n\s+/g, '\n').replace(/\n(?=\/?>)/g, '');
    return { code: tight.replace(/css`([^`]*)`/g, (_, css: string) => tightCss(css)), map: null };
  },
};

const tightCss = (css: string) => {
  const line = css.replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' ');
  return `css\`${line
    .replace(/ ?([{};,>]) ?/g, '$1')
    .replace(/([:(]) /g, '$1')
    .replace(/='([a-z]+)'\]/g, '=$1]')
    .replace(/ (\)|!important)/g, '$1')
    .replace(/;}/g, '}')
    .replace(/\b0\.(?=\d)/g, '.')
    .trim()}\``;
};

/**
 * Removes from Lit: its error messages for authors of styles; its code for browsers without shadow
 * DOM or constructable style sheets (every supported browser has both, because the client needs
 * `AbortSignal.any`); its list of versions on the page; its code for decorators; and its code for
 * values inside comments, `<textarea>`, `<style>` and `<title>`, and for directives on elements. No
 * template of the elements has those.
 */
export const stripLit: Plugin = {
  name: 'terse-lit',
  transform(code, id) {
    if (!/node_modules\/(@lit\/reactive-element|lit-html|lit-element)\//.test(id)) return null;
    const terse = code
      .replace(/if\((this\._\$cssResult\$=!0),.*?throw Error\("CSSResult[^"]*"\);/, '$1;')
      .replace(
        /if\(!0===(\w)\._\$cssResult\$\)return \w\.cssText;.*?throw Error\(.*?\)(?=\}\))/,
        'return $1.cssText',
      )
      .replace('"invalid template strings array"', '')
      .replace(/\w\.ShadowRoot&&.*?"replace"in CSSStyleSheet\.prototype/, 'true')
      .replace(/\w\.(lit|reactive)\w+(Polyfill|Hydrate)Support/g, 'null')
      .replace(/\(\w\.(lit|reactive)\w+Versions\?\?=\[\]\)\.push\("[\d.]+"\)/g, 'null')
      .replace(/static addInitializer\(\w\)\{.*?\}(?=static )/, '')
      .replace(/,void 0!==\w\.l&&\(this\.l=\[\.\.\.\w\.l\]\)/, '')
      .replace(/,this\.constructor\.l\?\.forEach\(\w=>\w\(this\)\)/, '')
      .replace(/Symbol\.metadata\?\?=.*?new WeakMap;/, '')
      .replace(/const \w=this\[Symbol\.metadata\];.*?(?=this\._\$Eh=)/, '')
      .replace(/\[\.\.\.(\w\(\w\)),\.\.\.\w\(\w\)\]/, '$1')
      .replace(/if\(\w\.test\(\w\.tagName\)\)\{.*?\}\}(?=\}else if)/, '')
      .replace(/else\{let \w=-1;.*?\}(?=\w\+\+\}\})/, '')
      .replace(/else (\w)\.startsWith\(\w\)&&\(.*?\.removeAttribute\(\1\)\)/, '')
      .replace(/:6===\w\.type&&\(\w=new \w\(\w,this,\w\)\)/, ':0');
    return { code: terse, map: null };
  },
};

/**
 * Redirects imports of the language files to the files beside the bundles, whose names the build
 * sets.
 */
export const localeNames: Plugin = {
  name: 'locale-names',
  enforce: 'pre',
  // Matches an import from any folder.
  resolveId: (id) =>
    /^\.{1,2}\/.*locale-file\.ts$/.test(id) ? inSource('bundles/locale-file.ts') : null,
};

const LOCALES = new URL('./locales/', import.meta.url);

/** The messages of one language, by namespace. */
export const readCatalog = (language: string) =>
  JSON.parse(readFileSync(new URL(`${language}.json`, LOCALES), 'utf8')) as Record<string, object>;

/** The values as the source of an object. The keys of messages need no quotes. */
export const objectSource = (values: object) => JSON.stringify(values).replace(/"(\w+)":/g, '$1:');

/**
 * Makes each namespace of the English messages a module of its own, so that a chunk contains only
 * the messages that it needs. `en.json` as one module would be in the first file of a bundle.
 */
export const messageNamespaces: Plugin = {
  name: 'message-namespaces',
  enforce: 'pre',
  transform: (code) =>
    code.includes(ENGLISH)
      ? { code: code.replace(ENGLISH_IMPORT, "$1'messages:$2'"), map: null }
      : null,
  resolveId: (id) => (id.startsWith('messages:') ? `\0${id}` : null),
  load(id) {
    const [, namespace] = /^\0messages:(\w+)$/.exec(id) ?? [];
    if (!namespace) return null;
    return `export const ${namespace} = ${objectSource(readCatalog('en')[namespace]!)};`;
  },
};

const ENGLISH = '@connect-embed/locales/en.json';
const ENGLISH_IMPORT = new RegExp(`(import \\{ (\\w+)(?: as \\w+)? \\} from )'${ENGLISH}'`, 'g');

/** Imports Lit from another bundle of the page instead of including a copy. */
export const borrowLit = (file: string): Plugin => ({
  name: 'borrow-lit',
  enforce: 'pre',
  resolveId: (id) => (LIT.test(id) ? { id: `./${file}`, external: true } : null),
});

/** Wraps the loader in a function, so that a classic script defines no global names. */
export const oneFunction: Plugin = {
  name: 'one-function',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = `(()=>{${file.code.trim()}})();\n`;
    }
  },
};
