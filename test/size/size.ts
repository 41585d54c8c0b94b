/**
 * `npm run size` compares the size of the scripts of a page, in brotli bytes, with budgets.
 *
 * A page loads the loader first, and then the base chunk and the chunk of an element. Files that load
 * after a form or a table is drawn are printed too, but do not delay drawing.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { exitOnHelpOption } from '../support/help-option.ts';
import { BUDGETS, DEFERRED_BUDGETS } from './budgets.ts';

exitOnHelpOption('Builds the elements, and compares the size of each script with its budget.');

const ROOT = new URL('../../', import.meta.url);
const DIST = new URL('packages/elements/dist/', ROOT);

interface Manifest {
  loader: string;
  base: string;
  donate: string;
  tables: string;
  goal: string;
  files: string[];
}

// Runs Vite as a process, so that it leaves nothing in this one.
execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
});

const read = (file: string) => readFileSync(new URL(file, DIST), 'utf8');
const brotliSize = (file: string) => brotliCompressSync(read(file)).length;
const manifest = JSON.parse(read('manifest.json')) as Manifest;
let failed = false;

/** The files that a built file imports statically. */
const importsOf = (code: string) =>
  [...code.matchAll(/\b(?:from|import) *["'`]\.\/([\w-]+\.js)["'`]/g)].map(([, file]) => file!);

const reportFile = (label: string, bytes: number, maxBytes?: number) => {
  const over = maxBytes !== undefined && bytes > maxBytes;
  failed ||= over;
  const budget = maxBytes === undefined ? '' : `of ${maxBytes.toLocaleString('en')}`;
  const mark = over ? ' OVER BUDGET' : '';
  console.log(`${label.padEnd(40)}${bytes.toLocaleString('en').padStart(8)} ${budget}${mark}`);
};

console.log('Brotli bytes');
for (const { label, files, maxBytes } of BUDGETS) {
  reportFile(
    label,
    files.reduce((sum, name) => sum + brotliSize(manifest[name]), 0),
    maxBytes,
  );
}
for (const { label, name, maxBytes } of DEFERRED_BUDGETS) {
  const file = manifest.files.find((item) => item.startsWith(`${name}-`))!;
  reportFile(label, brotliSize(file), maxBytes);
}

// The loader requests these files together. What else they import would delay drawing by a round trip.
for (const name of ['base', 'donate', 'tables', 'goal'] as const) {
  const allowed = name === 'base' ? [] : [manifest.base];
  const others = importsOf(read(manifest[name])).filter((file) => !allowed.includes(file));
  if (!others.length) continue;
  console.log(
    `${manifest[name]} imports ${others.join()}, which costs a round trip. See chunkNamer in vite.config.ts.`,
  );
  failed = true;
}

console.log('\nEvery file');
for (const file of [manifest.loader, ...manifest.files]) {
  reportFile(file, brotliSize(file));
  // An identifier that survives minification and that only zod uses.
  if (/_zod\b|ZodError/.test(read(file))) {
    console.log(`${file} contains zod: import only types, or a zod-free file, from the contract.`);
    failed = true;
  }
}

if (failed) process.exitCode = 1;
