import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ELEMENT_NAMESPACES } from '../elements/src/shared/locale-file.ts';

const LOCALES = join(import.meta.dirname, '../locales');
const ENGLISH = '@connect-embed/locales/en.json';

type Catalog = Record<string, object>;

const readCatalog = (file: string) =>
  JSON.parse(readFileSync(join(LOCALES, file), 'utf8')) as Catalog;

/**
 * Writes the elements' messages into their package, because the catalog is not published: a module
 * for each namespace in English, and one for each family in the other languages. Then rewrites the
 * imports of the catalog.
 */
export function addMessages(folder: string): void {
  const english = readCatalog('en.json');
  const namespaces = Object.values(ELEMENT_NAMESPACES).flat();
  for (const name of namespaces)
    write(folder, `locales/en/${name}.js`, `export const ${name} = ${json(english[name]!)};\n`);
  write(
    folder,
    'locales/en.js',
    namespaces.map((name) => `export { ${name} } from './en/${name}.js';\n`).join(''),
  );
  const ownMessages = Object.fromEntries(namespaces.map((name) => [name, english[name]!]));
  write(
    folder,
    'locales/en.d.ts',
    `declare const en: ${typeOfMessages(ownMessages)};\nexport default en;\n`,
  );
  writeFileSync(join(folder, 'shared/locale-file.js'), localeFile(folder));
  for (const file of globSync('**/*.{js,d.ts}', { cwd: folder })) rewriteImports(folder, file);
}

const json = (value: object) => JSON.stringify(value, null, 2);

/** Returns the TypeScript type of an object whose values are texts or objects of texts. */
export const typeOfMessages = (value: object) =>
  json(value).replace(/: "(?:\\.|[^"\\])*"/g, ': string');

function write(folder: string, file: string, text: string) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/**
 * Writes the modules of the languages, and returns the source that imports them. Each module has
 * its own literal `import()`, so that every bundler can analyze the imports.
 */
function localeFile(folder: string): string {
  const languages = globSync('??.json', { cwd: LOCALES }).filter((file) => file !== 'en.json');
  const lines = languages.sort().flatMap((file) => {
    const catalog = readCatalog(file);
    const language = file.replace('.json', '');
    return Object.entries(ELEMENT_NAMESPACES).map(([family, namespaces]) => {
      const messages = Object.assign({}, ...namespaces.map((name) => catalog[name])) as object;
      const path = `locales/${family}/${language}.js`;
      write(folder, path, `export const messages = ${json(messages)};\n`);
      return `  '${family}/${language}': () => import('../${path}'),`;
    });
  });
  return `const FILES = {
${lines.join('\n')}
};

/** One language of one family. */
export const importLocale = (family, language) => FILES[\`\${family}/\${language}\`]();
`;
}

/** Imports the modules that `addMessages` writes instead of the catalog. */
function rewriteImports(folder: string, file: string) {
  const text = readFileSync(join(folder, file), 'utf8');
  if (!text.includes(ENGLISH)) return;
  const path = relative(dirname(file), 'locales/en.js');
  const rewritten = text.replaceAll(ENGLISH, path.startsWith('.') ? path : `./${path}`);
  writeFileSync(join(folder, file), rewritten);
}
