import { createHash } from 'node:crypto';
import { mkdirSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';
import {
  borrowLit,
  ELEMENTS,
  inSource,
  localeNames,
  oneFunction,
  smallDecorators,
  terseLit,
  tightTemplates,
} from './vite.plugins.ts';

const OUT = fileURLToPath(new URL('dist/', ELEMENTS));

interface Bundle {
  entry: string;
  name: string;
  /** File that Lit is borrowed from, in place of a copy of one's own. */
  borrow?: string;
  plugins?: Plugin[];
  /** Constants that the build puts in. */
  define?: Record<string, string>;
}

/** What Rolldown tells while it makes chunks. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** Whatever a module imports at once, and it itself. */
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
 * What a bundle with tables needs at once is one file, also what later files share with it: by itself Rolldown
 * makes files of what is shared, and a page would ask for them one after another. What follows the
 * rows of a table is one file likewise, from which charts and details borrow, and no form.
 */
function chunksOf(entry: string) {
  let sets: Set<string>[] | undefined;
  const name = (id: string, graph: ModuleGraph) => {
    const roots = [entry, 'tables/table-features.ts', 'internal/donation-flow.ts'];
    sets ??= roots.map((root) => reachOf(inSource(root), graph));
    const [atOnce, afterRows, afterForm] = sets.map((set) => set.has(id));
    if (atOnce) return 'entry';
    return afterRows && !afterForm ? 'tools' : null;
  };
  const groups = [{ name, debugName: entry }];
  return { includeDependenciesRecursively: false, groups };
}

/**
 * One library build: ES, minified in full. Vite leaves white space in ES libraries by itself, and
 * its application mode would wrap `import()` in `import.meta`, which bars the classic script tag.
 */
const library = ({ entry, name, borrow, plugins = [], define = {} }: Bundle): InlineConfig => ({
  configFile: false,
  logLevel: 'warn',
  plugins: [
    tightTemplates,
    ...(borrow ? [borrowLit(borrow)] : []),
    smallDecorators,
    terseLit,
    localeNames,
    ...plugins,
  ],
  define,
  build: {
    outDir: OUT,
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: inSource(entry), formats: ['es'] },
    rolldownOptions: {
      // What a later chunk shares with its entry stays in the entry: one request less.
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: name,
        chunkFileNames: '[name]-[hash:6].js',
        // A form alone is one file by itself, and a smaller one: what is left unused goes with what uses it.
        ...(/^bundles.(tables|all)/.test(entry) && { codeSplitting: chunksOf(entry) }),
        minify: true,
        comments: false,
      },
    },
  },
});

/** Builds one bundle, notes its files, and answers with the one that the loader asks for. */
async function buildBundle(bundle: Bundle, files: Set<string>): Promise<string> {
  const [result] = [await build(library(bundle))].flat();
  if (!result || !('output' in result)) throw new Error(`${bundle.entry} gave no file.`);
  for (const { fileName } of result.output) files.add(fileName);
  return result.output[0].fileName;
}

/**
 * Builds every language of every family, a file each, and answers with the hash in their names: one
 * for all, so that a page need not carry a list of names.
 */
async function buildLocales(files: Set<string>): Promise<string> {
  const codes = new Map<string, string>();
  for (const family of ['form', 'tables', 'goal'].filter((name) =>
    existsSync(inSource(`locales/${name}`)),
  )) {
    for (const file of readdirSync(inSource(`locales/${family}`))) {
      const { build: how, ...config } = library({ entry: `locales/${family}/${file}`, name: 'x' });
      const [result] = [await build({ ...config, build: { ...how, write: false } })].flat();
      if (!result || !('output' in result)) throw new Error(`${file} gave no file.`);
      codes.set(`${family}-${file.replace('.ts', '')}`, result.output[0].code);
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
const WHOLE = 'whole.js';

/**
 * Makes one function of the whole script, which the server calls with the session of a form. A page's
 * address of it says a form, so no file could import from it: what others need of it hangs on the page.
 */
const wholeScript: Plugin = {
  name: 'whole-script',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      file.code = file.code.replace(
        /import\{([^}]*)\}from"\.\/whole\.js";?/g,
        (__, names: string) => `const{${names.replaceAll(' as ', ':')}}=${PAGE_SHARE}.whole;`,
      );
      if (file.fileName === WHOLE) file.code = callable(file.code);
      if (/\b(from|import)\(?["'`]\.\/whole\.js/.test(file.code))
        throw new Error(`${file.fileName} imports from ${WHOLE}, which has no address.`);
    }
  },
};

/** The first copy of the script on a page wins, whichever it is. */
function callable(code: string): string {
  const [exported, list = ''] = /export\{([^}]*)\};?\s*$/.exec(code) ?? [];
  if (!exported) throw new Error(`${WHOLE} exports nothing.`);
  const lent = list.split(',').map((pair) => pair.split(' as ').reverse().join(':'));
  const body = `${code.replace(exported, '')};${PAGE_SHARE}.whole={${lent.join()}}`;
  return `(OPENED=>{"use strict";if(${PAGE_SHARE})return;${body}})`;
}

/** `connect.js?form=meals`: docs/decisions/0069-whole-script.md */
async function buildWhole(goal: string, files: Set<string>, define: Record<string, string>) {
  const plugins = [wholeScript];
  const name = 'tables-whole-[hash:6].js';
  const tables = { entry: 'bundles/tables.ts', name, borrow: WHOLE, plugins, define };
  const tablesBeside = await buildBundle(tables, files);
  const inside = { donate: '', tables: '', all: '', donateBeside: '', tablesBeside, goal };
  const more = { ...define, ...fileNames(inside), FORM_INSIDE: '1' };
  return buildBundle(
    { entry: 'bundles/script-with-session.ts', name: WHOLE, plugins, define: more },
    files,
  );
}

/** Names of bundles, as the loader has them put in. */
const fileNames = (bundles: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(bundles).map(([family, file]) => [
      `BUNDLES.${family}`,
      JSON.stringify(file.replace(/\.js$/, '')),
    ]),
  );

/** Builds what the loader fetches: docs/decisions/0014-element-bundles.md */
async function buildBundles(files: Set<string>, define: Record<string, string>) {
  const make = (family: string, borrow?: string) => {
    const entry = `bundles/${family}.ts`;
    if (!borrow) return buildBundle({ entry, name: `${family}-[hash:6].js`, define }, files);
    return buildBundle({ entry, name: `${family}-beside-[hash:6].js`, borrow, define }, files);
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
    whole: await buildWhole(goal, files, define),
  };
}

/** Leaves the list of files for whoever serves or weighs them, and nothing of an older build. */
const manifest = (bundles: Record<string, string>, files: Set<string>): Plugin => ({
  name: 'manifest',
  closeBundle() {
    const keep = new Set(['connect.js', 'manifest.json', ...files]);
    for (const file of readdirSync(OUT)) if (!keep.has(file)) rmSync(`${OUT}${file}`);
    const list = { loader: 'connect.js', ...bundles, files: [...files].sort() };
    writeFileSync(`${OUT}manifest.json`, `${JSON.stringify(list, null, 2)}\n`);
  },
});

/** `vite build` writes `packages/elements/dist`: the loader `connect.js` and its bundles. */
export default defineConfig(async ({ command }) => {
  if (command !== 'build') return {};
  const files = new Set<string>();
  mkdirSync(OUT, { recursive: true });
  const hash = JSON.stringify(await buildLocales(files));
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
