import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, defineConfig, type Plugin, type Rolldown, type UserConfig } from 'vite';
import { localeFiles, messageNamespaces, minifiedTemplates } from './vite.plugins.ts';

const SOURCE = fileURLToPath(new URL('./packages/elements/src/', import.meta.url));
const OUT = fileURLToPath(new URL('./packages/elements/dist/', import.meta.url));
const inSource = (path: string) => `${SOURCE}${path}`;

/**
 * The chunks of each kind of element, in the order in which a page loads them: the first drawing, whose
 * file the loader imports, and what it imports next. Further chunks are loaded on demand.
 */
const CHUNKS = {
  form: { donate: 'bundles/donate.ts', 'donation-flow': 'form/donation-flow.ts' },
  tables: { tables: 'bundles/tables.ts', 'table-features': 'tables/table-features.ts' },
  goal: { goal: 'bundles/goal.ts' },
};
const ENTRIES = {
  donate: inSource(CHUNKS.form.donate),
  tables: inSource(CHUNKS.tables.tables),
  goal: inSource(CHUNKS.goal.goal),
};
const TARGET = 'es2022';

/** File names of the chunks that the loader imports. */
type EntryFiles = Record<'base' | keyof typeof ENTRIES, string>;

type ModuleGraph = Pick<Rolldown.PluginContext, 'getModuleInfo'>;

/**
 * Returns a function that names the chunk of a module.
 *
 * What a chunk of `CHUNKS` imports statically is part of it, or of the base chunk if several kinds of
 * elements use it. So drawing an element takes exactly two files, and each later step one.
 * By default Rolldown gives modules that two chunks share a file of their own, which a page would
 * load one round trip later.
 */
function chunkNamer() {
  let kinds: [name: string, modules: Set<string>][][] | undefined;
  return (id: string, graph: ModuleGraph): string | null => {
    kinds ??= Object.values(CHUNKS).map((chunks) =>
      Object.entries(chunks).map(([name, path]) => [name, importsOf(inSource(path), graph)]),
    );
    const [first, ...others] = kinds
      .map((chunks) => chunks.find(([, modules]) => modules.has(id)))
      .filter((chunk) => chunk !== undefined);
    return others.length ? 'base' : (first?.[0] ?? null);
  };
}

/** A module and what it imports statically, except what others import on demand. */
function importsOf(root: string, graph: ModuleGraph): Set<string> {
  const found = new Set([root]);
  // A Set also yields the values that are added while it is iterated.
  for (const id of found) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) {
      if (!graph.getModuleInfo(imported)?.dynamicImporters.length) found.add(imported);
    }
  }
  return found;
}

/** Builds the elements as ES modules: docs/decisions/0014-element-bundles.md */
async function buildElements(): Promise<{ entries: EntryFiles; files: string[] }> {
  const [result] = [
    await build({
      configFile: false,
      logLevel: 'warn',
      plugins: [minifiedTemplates, messageNamespaces, localeFiles()],
      // Built locale files have other names than their sources.
      resolve: {
        alias: [{ find: /^.*\/locale-file\.ts$/, replacement: inSource('bundles/locale-file.ts') }],
      },
      build: {
        outDir: OUT,
        emptyOutDir: false,
        target: TARGET,
        lib: { entry: ENTRIES, formats: ['es'] },
        rolldownOptions: {
          preserveEntrySignatures: 'allow-extension',
          output: {
            entryFileNames: '[name]-[hash:6].js',
            chunkFileNames: '[name]-[hash:6].js',
            codeSplitting: {
              includeDependenciesRecursively: false,
              groups: [{ name: chunkNamer(), debugName: 'entries' }],
            },
            minify: true,
            comments: false,
          },
        },
      },
    }),
  ].flat();
  if (!result || !('output' in result)) throw new Error('The elements were not built.');
  const { output } = result;
  const fileOf = (name: string) =>
    output.find((file) => file.type === 'chunk' && file.name === name)!.fileName;
  return {
    entries: {
      base: fileOf('base'),
      donate: fileOf('donate'),
      tables: fileOf('tables'),
      goal: fileOf('goal'),
    },
    files: output.map(({ fileName }) => fileName).sort(),
  };
}

/**
 * Writes `manifest.json`, the list of files for the size test and the benches, and `integrity.json`, their
 * hashes for `integrity` attributes and import maps. Deletes files of older builds only now, so that a
 * running server always finds a complete build.
 */
const manifest = ({ entries, files }: Awaited<ReturnType<typeof buildElements>>): Plugin => ({
  name: 'manifest',
  closeBundle() {
    const scripts = ['connect.js', ...files];
    const hashes = Object.fromEntries(scripts.map((file) => [file, integrityOf(file)]));
    writeJson('integrity.json', { files: hashes });
    writeJson('manifest.json', { loader: 'connect.js', ...entries, files });
    const keep = new Set([...scripts, 'manifest.json', 'integrity.json']);
    for (const file of readdirSync(OUT)) if (!keep.has(file)) rmSync(`${OUT}${file}`);
  },
});

const writeJson = (file: string, content: object) =>
  writeFileSync(`${OUT}${file}`, `${JSON.stringify(content, null, 2)}\n`);

/** The value of an `integrity` attribute. */
const integrityOf = (file: string) =>
  `sha384-${createHash('sha384')
    .update(readFileSync(`${OUT}${file}`))
    .digest('base64')}`;

/** The constants with the file names for the loader. */
const constants = (files: EntryFiles) =>
  Object.fromEntries(
    Object.entries(files).map(([name, file]) => [`FILES.${name}`, JSON.stringify(file)]),
  );

/**
 * `vite build` writes `packages/elements/dist`: the elements, and `connect.js`, which knows their file
 * names. It is not an ES module, so that it also works as a classic script.
 */
export default defineConfig(async ({ command }): Promise<UserConfig> => {
  if (command !== 'build') return {};
  const elements = await buildElements();
  return {
    logLevel: 'warn',
    plugins: [manifest(elements)],
    define: {
      ...constants(elements.entries),
      // The server replaces it when it serves the script: `server/routes/scripts.ts`.
      SERVER_ADDRESS: JSON.stringify('__CONNECT_SERVER_ADDRESS__'),
    },
    build: {
      outDir: OUT,
      emptyOutDir: false,
      target: TARGET,
      lib: {
        entry: inSource('loader.ts'),
        name: 'ConnectEmbedLoader',
        formats: ['iife'],
        fileName: () => 'connect.js',
      },
    },
  };
});
