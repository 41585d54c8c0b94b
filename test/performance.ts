/**
 * `npm run performance` runs the measurements and writes their output into docs/performance.md and
 * docs/peak-load.md.
 *
 * Each part of a page has a block for one command. `--only bench:form` runs one of them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { exitOnHelpOption } from './support/help-option.ts';

const PAGES = ['performance.md', 'peak-load.md'];
/** A block: `<!-- npm run size -->`, a code block with the output, and the machine. */
const BLOCK = /<!-- npm run ([\w:-]+)( -- [\w -]+)? -->\n\n```text\n[\s\S]*?\n```\n\n[^\n]*\n/g;

exitOnHelpOption(
  'Runs the measurements of docs/performance.md and docs/peak-load.md, and writes their output into them. `--only bench:form` runs one.',
);
const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;

const { model } = cpus()[0]!;
const gigabytes = Math.round(totalmem() / 2 ** 30);
const machine = `${model}, ${cpus().length} cores, ${gigabytes} GB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;

let count = 0;
for (const name of PAGES) {
  const file = new URL(`../docs/${name}`, import.meta.url);
  writeFileSync(file, readFileSync(file, 'utf8').replace(BLOCK, measure));
}
if (count === 0) throw new Error(`No page has a block for "${only}".`);

/** Runs the command of a block, and returns the block with its output. */
function measure(block: string, script: string, options = ''): string {
  if (only && script !== only) return block;
  count += 1;
  console.log(`npm run ${script}${options}`);
  const { status, stdout } = spawnSync(`npm run --silent ${script}${options}`, {
    shell: true,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === null || !stdout) throw new Error(`npm run ${script} printed nothing.`);
  return `<!-- npm run ${script}${options} -->\n\n\`\`\`text\n${tablesOf(stdout)}\n\`\`\`\n\n${machine}\n`;
}

/** The output without the path of the browser and without the list of every file. */
function tablesOf(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n\nEvery file')[0]!.split('\n');
  return lines
    .filter((line) => !line.startsWith('browser: '))
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
