import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

/** Has its own `package.json`, because only this comparison needs the packages. */
const FOLDER = fileURLToPath(new URL('peers/', import.meta.url));

const ENTRY = `${FOLDER}entry.js`;

/** What a page imports from each package to show one card form or one table. */
const IMPORTS: [label: string, code: string][] = [
  [
    'form: Adyen card component',
    "export { AdyenCheckout, Card } from '@adyen/adyen-web'; import '@adyen/adyen-web/styles/adyen.css';",
  ],
  ['form: Braintree Drop-in', "export { default } from 'braintree-web-drop-in';"],
  ['tables: Grid.js', "export { Grid } from 'gridjs'; import 'gridjs/dist/theme/mermaid.css';"],
  [
    'tables: Tabulator',
    "export { Tabulator } from 'tabulator-tables'; import 'tabulator-tables/dist/css/tabulator.css';",
  ],
  [
    'tables: AG Grid',
    "export { createGrid, ModuleRegistry, AllCommunityModule } from 'ag-grid-community';",
  ],
];

/** Installs other products' packages, and returns the Brotli bytes of script and styles of each. */
export async function peerSizes(): Promise<[label: string, size: number][]> {
  console.error('  installing the packages of test/bench/peers');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const sizes: [string, number][] = [];
  for (const [label, code] of IMPORTS) sizes.push([label, await bundleSize(code)]);
  return sizes;
}

async function bundleSize(code: string): Promise<number> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        enforce: 'pre',
        // Not a file, but in the folder of the packages, so that its imports are found there.
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) => (id === ENTRY ? code : null),
      },
    ],
    build: {
      write: false,
      lib: { entry: ENTRY, formats: ['es'], fileName: 'entry' },
      rolldownOptions: { output: { minify: true, codeSplitting: false } },
    },
  });
  const files = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
  const sizes = files.map((file) =>
    brotliCompressSync(file.type === 'chunk' ? file.code : file.source),
  );
  return sizes.reduce((sum, { length }) => sum + length, 0);
}
