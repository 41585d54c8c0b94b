/**
 * `npm run performance` runs the measurements and writes their output into docs/performance.md.
 *
 * Each part of the page has a block for one command. `--only form` runs one of them.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { exitOnHelpOption } from './support/help-option.ts';

const PAGE = new URL('../docs/performance.md', import.meta.url);
/** A block: `<!-- npm run size -->`, a code block with the output, and the machine. */
const BLOCK = /<!-- npm run ([\w:-]+)( -- [\w -]+)? -->\n\n```text\n[\s\S]*?\n```\n\n[^\n]*\n/g;

exitOnHelpOption(
  'Runs the measurements of docs/performance.md and writes their output into it. `--only bench:form` runs one.',
);
const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;

const { model } = cpus()[0]!;
const gigabytes = Math.round(totalmem() / 2 ** 30);
const machine = `${model}, ${cpus().length} cores, ${gigabytes} GB, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;

let count = 0;
const page = readFileSync(PAGE, 'utf8').replace(BLOCK, (block, script: string, options = '') => {
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
});
if (count === 0) throw new Error(`docs/performance.md has no block for "${only}".`);
writeFileSync(PAGE, page);

/** The output without the path of the browser and without the list of every file. */
function tablesOf(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n\nEvery file')[0]!.split('\n');
  return lines
    .filter((line) => !line.startsWith('browser: '))
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
