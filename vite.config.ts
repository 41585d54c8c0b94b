import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ELEMENT_NAMESPACES } from './packages/elements/src/shared/locale-file.ts';
import { LANGUAGES } from './locales/translator.ts';
import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';
import {
  importBaseFrom,
  ELEMENTS,
  inSource,
  localeNames,
  messageNamespaces,
  objectSource,
  oneFunction,
  readCatalog,
  tightTemplates,
} from './vite.plugins.ts';

const OUT = fileURLToPath(new URL('dist/', ELEMENTS));

interface Bundle {
  entry: string;
  name: string;
  /** The bundle from which this one imports the base modules instead of including a copy. */
  baseFrom?: string;
  plugins?: Plugin[];
  /** Constants that the build replaces. */
  define?: Record<string, string>;
}

/** The part of Rolldown's module graph that is used here. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** The ids of a module and of everything that it imports statically. */
function reachOf(root: string, graph: ModuleGraph): Set<string> {
  const reached = new Set<string>();
  const walk = (id: string) => {
    if (reached.has(id)) return;
    reached.add(id);
    graph.getModuleInfo(id)?.importedIds.forEach(walk);
  };
  walk(root);
  return reached;
}

/**
 * Code splitting of a bundle with tables. Everything needed at once, including modules shared with
 * later chunks, is one file; Rolldown would put shared modules into files of their own, which a
 * page would load one after another. The features that load after the first rows are one file too,
 * from which charts and details import; it excludes the form.
 */
function chunksOf(entry: string) {
  let sets: Set<string>[] | undefined;
  const name = (id: string, graph: ModuleGraph) => {
    const roots = [entry, 'tables/table-features.ts', 'form/donation-flow.ts'];
    sets ??= roots.map((root) => reachOf(inSource(root), graph));
    const [atOnce, afterRows, afterForm] = sets.map((set) => set.has(id));
    if (atOnce) return 'entry';
    return afterRows && !afterForm ? 'tools' : null;
  };
  const groups = [{ name, debugName: entry }];
  return { includeDependenciesRecursively: false, groups };
}

/**
 * One library build, an ES module, fully minified. Vite does not minify white space in ES
 * libraries, and its application mode wraps `import()` with `import.meta`, which a classic script
 * cannot use.
 */
const library = ({ entry, name, baseFrom, plugins = [], define = {} }: Bundle): InlineConfig => ({
  configFile: false,
  logLevel: 'warn',
  plugins: [
    tightTemplates,
    ...(baseFrom ? [importBaseFrom(baseFrom)] : []),
    localeNames,
    messageNamespaces,
    ...plugins,
  ],
  define,
  build: {
    outDir: OUT,
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: inSource(entry), formats: ['es'] },
    rolldownOptions: {
      // Modules that a later chunk shares with its entry stay in the entry, which saves a request.
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: name,
        chunkFileNames: '[name]-[hash:6].js',
        // Not for the form alone: by default it is a single, smaller file, because unused code
        // moves to the chunk that uses it.
        ...(/^bundles.(tables|all)/.test(entry) && { codeSplitting: chunksOf(entry) }),
        minify: true,
        comments: false,
      },
    },
  },
});

/** Builds one bundle, adds its files to the set, and returns the file of its entry. */
async function buildBundle(bundle: Bundle, files: Set<string>): Promise<string> {
  const [result] = [await build(library(bundle))].flat();
  if (!result || !('output' in result)) throw new Error(`${bundle.entry} gave no file.`);
  for (const { fileName } of result.output) files.add(fileName);
  return result.output[0].fileName;
}

/**
 * Writes one file for every language of every family, except English, and returns the hash in their
 * names. All share one hash, so that the bundle needs no list of names.
 */
function writeLocales(files: Set<string>): string {
  const codes = new Map<string, string>();
  for (const [family, namespaces] of Object.entries(ELEMENT_NAMESPACES)) {
    for (const language of LANGUAGES.filter((one) => one !== 'en')) {
      const catalog = readCatalog(language);
      const messages = Object.assign({}, ...namespaces.map((name) => catalog[name])) as object;
      codes.set(`${family}-${language}`, `export const messages=${objectSource(messages)};`);
    }
  }
  const all = createHash('sha256').update([...codes.values()].join());
  const hash = all.digest('base64url').slice(0, 8);
  for (const [name, code] of codes) {
    const file = `${name}-${hash}.js`;
    writeFileSync(`${OUT}${file}`, code);
    files.add(file);
  }
  return hash;
}

const PAGE_SHARE = 'document[Symbol.for("connect-embed")]';
const WITH_FORM = 'with-form.js';

/**
 * Makes `with-form.js` (script with form) a function expression, which the BFF calls with the
 * data of a form. Its URL contains the form's name, so other files cannot import from it; they
 * read its exports from a property of the document.
 */
const scriptWithForm: Plugin = {
  name: 'script-with-form',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      file.code = file.code.replace(
        /import\{([^}]*)\}from"\.\/with-form\.js";?/g,
        (__, names: string) => `const{${names.replaceAll(' as ', ':')}}=${PAGE_SHARE}.withForm;`,
      );
      if (file.fileName === WITH_FORM) file.code = callable(file.code);
      if (/\b(from|import)\(?["'`]\.\/with-form\.js/.test(file.code))
        throw new Error(`${file.fileName} imports from ${WITH_FORM}, which has no address.`);
    }
  },
};

/** Wraps the code in a function that runs only for the first copy of the script on a page. */
function callable(code: string): string {
  const [exported, list = ''] = /export\{([^}]*)\};?\s*$/.exec(code) ?? [];
  if (!exported) throw new Error(`${WITH_FORM} exports nothing.`);
  const lent = list.split(',').map((pair) => pair.split(' as ').reverse().join(':'));
  const body = `${code.replace(exported, '')};${PAGE_SHARE}.withForm={${lent.join()}}`;
  return `(FORM=>{"use strict";if(${PAGE_SHARE})return;${body}})`;
}

/** Builds the combined script of `connect.js?form=meals`: docs/decisions/0014-element-bundles.md */
async function buildScriptWithForm(
  goal: string,
  files: Set<string>,
  define: Record<string, string>,
) {
  const plugins = [scriptWithForm];
  const name = 'tables-with-form-[hash:6].js';
  const tables = { entry: 'bundles/tables.ts', name, baseFrom: WITH_FORM, plugins, define };
  const tablesBeside = await buildBundle(tables, files);
  const inside = { donate: '', tables: '', all: '', donateBeside: '', tablesBeside, goal };
  const more = { ...define, ...fileNames(inside), FORM_INSIDE: '1' };
  return buildBundle(
    { entry: 'bundles/script-with-form.ts', name: WITH_FORM, plugins, define: more },
    files,
  );
}

/** The constants with the bundles' file names for the loader. */
const fileNames = (bundles: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(bundles).map(([family, file]) => [
      `BUNDLES.${family}`,
      JSON.stringify(file.replace(/\.js$/, '')),
    ]),
  );

/** Builds the bundles that the loader imports: docs/decisions/0014-element-bundles.md */
async function buildBundles(files: Set<string>, define: Record<string, string>) {
  const make = (family: string, baseFrom?: string) => {
    const entry = `bundles/${family}.ts`;
    if (!baseFrom) return buildBundle({ entry, name: `${family}-[hash:6].js`, define }, files);
    return buildBundle({ entry, name: `${family}-beside-[hash:6].js`, baseFrom, define }, files);
  };
  const donate = await make('donate');
  const tables = await make('tables');
  const goal = await make('goal');
  return {
    donate,
    tables,
    all: await make('all'),
    donateBeside: await make('donate', tables),
    tablesBeside: await make('tables', donate),
    goal,
    withForm: await buildScriptWithForm(goal, files, define),
  };
}

/**
 * Writes `manifest.json`, the list of files for the server and the size test, and `integrity.json`, their
 * hashes for `integrity` attributes and import maps. Deletes files of older builds.
 */
const manifest = (bundles: Record<string, string>, files: Set<string>): Plugin => ({
  name: 'manifest',
  closeBundle() {
    const keep = new Set(['connect.js', 'manifest.json', 'integrity.json', ...files]);
    for (const file of readdirSync(OUT)) if (!keep.has(file)) rmSync(`${OUT}${file}`);
    const hashes = ['connect.js', ...[...files].sort()].map((file) => [file, integrityOf(file)]);
    writeJson('integrity.json', { files: Object.fromEntries(hashes) as object });
    const list = { loader: 'connect.js', ...bundles, files: [...files].sort() };
    writeJson('manifest.json', list);
  },
});

const writeJson = (file: string, content: object) =>
  writeFileSync(`${OUT}${file}`, `${JSON.stringify(content, null, 2)}\n`);

/** The value of an `integrity` attribute. */
const integrityOf = (file: string) =>
  `sha384-${createHash('sha384')
    .update(readFileSync(`${OUT}${file}`))
    .digest('base64')}`;

/** `vite build` writes `packages/elements/dist`: the loader `connect.js` and its bundles. */
export default defineConfig(async ({ command }) => {
  if (command !== 'build') return {};
  const files = new Set<string>();
  mkdirSync(OUT, { recursive: true });
  const hash = JSON.stringify(writeLocales(files));
  const bundles = await buildBundles(files, { LOCALES_HASH: hash });
  return {
    ...library({
      entry: 'loader.ts',
      name: 'connect.js',
      plugins: [oneFunction, manifest(bundles, files)],
    }),
    define: { ...fileNames(bundles), FORM_INSIDE: '0' },
  };
});
