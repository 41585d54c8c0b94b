/** Vite plugins of the elements' build. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { minifyHTMLLiterals } from 'minify-literals';
import type { Plugin } from 'vite';
import { LANGUAGES } from './packages/locales/translator.ts';
import { ELEMENT_NAMESPACES } from './packages/elements/src/shared/locale-file.ts';

const ELEMENTS = fileURLToPath(new URL('./packages/elements/src/', import.meta.url));
const LOCALES = new URL('./packages/locales/', import.meta.url);
const ENGLISH = '@connect-embed/locales/en.json';

/**
 * Minifies HTML and CSS in the templates of a module.
 *
 * @returns undefined if nothing changes
 */
export async function minifyTemplates(code: string, fileName: string) {
  const minified = await minifyHTMLLiterals(code, {
    fileName,
    html: { collapseBooleanAttributes: true },
    sourceMap: false,
  });
  return minified?.code;
}

/** `minifyTemplates` for the elements. */
export const minifiedTemplates: Plugin = {
  name: 'minified-templates',
  async transform(code, id) {
    if (!id.startsWith(ELEMENTS)) return null;
    const minified = await minifyTemplates(code, id);
    return minified ? { code: minified, map: null } : null;
  },
};

/** The messages of one language, by namespace. */
const readCatalog = (language: string) =>
  JSON.parse(readFileSync(new URL(`${language}.json`, LOCALES), 'utf8')) as Record<string, object>;

/**
 * Makes each namespace of the English messages a module of its own, so that a chunk contains only
 * the messages that it needs. `en.json` as one module would be in the base chunk.
 */
export const messageNamespaces: Plugin = {
  name: 'message-namespaces',
  transform(code) {
    if (!code.includes(ENGLISH)) return null;
    for (const node of this.parse(code).body) {
      if (node.type !== 'ImportDeclaration' || node.source.value !== ENGLISH) continue;
      const imports = node.specifiers.map((specifier) => {
        if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier')
          this.error('Import the messages by the names of their namespaces.');
        const { imported, local } = specifier;
        return `import { ${imported.name} as ${local.name} } from 'messages:${imported.name}';`;
      });
      const { start, end } = node;
      return { code: code.slice(0, start) + imports.join('') + code.slice(end), map: null };
    }
    return null;
  },
  resolveId: (id) => (id.startsWith('messages:') ? `\0${id}` : null),
  load(id) {
    if (!id.startsWith('\0messages:')) return null;
    const namespace = id.slice('\0messages:'.length);
    return `export const ${namespace} = ${JSON.stringify(readCatalog('en')[namespace])};`;
  },
};

/**
 * Emits one file of messages for every family of elements and every language except English.
 *
 * All have the same hash in their names, so that the elements need no list of names.
 */
export function localeFiles(): Plugin {
  const files = new Map<string, string>();
  for (const [family, namespaces] of Object.entries(ELEMENT_NAMESPACES)) {
    for (const language of LANGUAGES.filter((code) => code !== 'en')) {
      const catalog = readCatalog(language);
      const messages = Object.assign({}, ...namespaces.map((name) => catalog[name])) as object;
      files.set(`${family}-${language}`, `export const messages=${JSON.stringify(messages)};`);
    }
  }
  const digest = createHash('sha256').update([...files.values()].join());
  const hash = digest.digest('base64url').slice(0, 8);
  return {
    name: 'locale-files',
    config: () => ({ define: { LOCALES_HASH: JSON.stringify(hash) } }),
    generateBundle() {
      for (const [name, source] of files)
        this.emitFile({ type: 'asset', fileName: `${name}-${hash}.js`, source });
    },
  };
}
