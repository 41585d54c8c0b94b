/** Vite plugins that make the elements' bundles smaller. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

export const ELEMENTS = new URL('./packages/elements/', import.meta.url);
/** Modules that all bundles of a page share. */
const BASE = /\/(html|connect-element|css)\.ts$/;

/** The path of a file in the elements' sources. */
export const inSource = (path: string): string => fileURLToPath(new URL(`src/${path}`, ELEMENTS));

/**
 * Removes indentation and comments from CSS and HTML in template literals. Lines are joined, also those of
 * the code, from which the compiler has removed the line comments.
 */
export const tightTemplates: Plugin = {
  name: 'tight-templates',
  transform(code, id) {
    if (!id.startsWith(fileURLToPath(ELEMENTS)) || !/\b(css|html)`/.test(code)) return null;
    const tight = code.replace(/\n\s+/g, ' ').replace(/ (?=\/?>)/g, '');
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

/** Imports the base modules from another bundle of the page instead of including a copy. */
export const importBaseFrom = (file: string): Plugin => ({
  name: 'import-base-from',
  enforce: 'pre',
  resolveId: (id) => (BASE.test(id) ? { id: `./${file}`, external: true } : null),
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
