import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';

const ELEMENTS = new URL('./packages/elements/', import.meta.url);
const OUT = fileURLToPath(new URL('dist/', ELEMENTS));
/** The modules that hold the one Lit of a page. */
const LIT = /^lit(\/decorators\.js)?$/;

const inSource = (path: string) => fileURLToPath(new URL(`src/${path}`, ELEMENTS));

/** Takes indentation and comments out of the CSS and HTML that stand in template literals. */
const tightTemplates: Plugin = {
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
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .trim()}\``;
};

interface Bundle {
  entry: string;
  name: string;
  /** File that Lit is borrowed from, in place of a copy of one's own. */
  borrow?: string;
  plugins?: Plugin[];
}

/**
 * One library build: ES, minified in full. Vite leaves white space in ES libraries by itself, and
 * its application mode would wrap `import()` in `import.meta`, which bars the classic script tag.
 */
const library = ({ entry, name, borrow, plugins = [] }: Bundle): InlineConfig => ({
  configFile: false,
  logLevel: 'warn',
  plugins: [tightTemplates, ...(borrow ? [borrowLit(borrow)] : []), ...plugins],
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
        chunkFileNames: '[name]-[hash].js',
        minify: true,
        comments: false,
      },
    },
  },
});

const borrowLit = (file: string): Plugin => ({
  name: 'borrow-lit',
  enforce: 'pre',
  resolveId: (id) => (LIT.test(id) ? { id: `./${file}`, external: true } : null),
});

/** Builds one bundle, notes its files, and answers with the one that the loader asks for. */
async function buildBundle(bundle: Bundle, files: Set<string>): Promise<string> {
  const [result] = [await build(library(bundle))].flat();
  if (!result || !('output' in result)) throw new Error(`${bundle.entry} gave no file.`);
  for (const { fileName } of result.output) files.add(fileName);
  return result.output[0].fileName;
}

/** Builds what the loader fetches: docs/decisions/0014-element-bundles.md */
async function buildBundles(files: Set<string>) {
  const make = (family: string, borrow?: string) => {
    const entry = `bundles/${family}.ts`;
    if (!borrow) return buildBundle({ entry, name: `${family}-[hash].js` }, files);
    return buildBundle({ entry, name: `${family}-beside-[hash].js`, borrow }, files);
  };
  const donate = await make('donate');
  const tables = await make('tables');
  return {
    donate,
    tables,
    all: await make('all'),
    donateBeside: await make('donate', tables),
    tablesBeside: await make('tables', donate),
  };
}

/** The loader is one function, so that a classic script tag leaks no name into the page. */
const oneFunction: Plugin = {
  name: 'one-function',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = `(()=>{${file.code.trim()}})();\n`;
    }
  },
};

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
  const bundles = await buildBundles(files);
  const named = Object.entries(bundles).map(([family, file]) => [family, JSON.stringify(file)]);
  return {
    ...library({
      entry: 'loader.ts',
      name: 'connect.js',
      plugins: [oneFunction, manifest(bundles, files)],
    }),
    define: Object.fromEntries(named.map(([family, file]) => [`BUNDLES.${family}`, file])),
  };
});
