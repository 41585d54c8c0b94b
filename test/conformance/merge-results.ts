/**
 * `node test/conformance/merge-results.ts <stage>` saves the results of a stage's second run, which
 * ran the failed test files only, with those of its first run.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeResults, parseResults } from './results.ts';

const [stage] = process.argv.slice(2);
const fileOf = (name: string) => join(import.meta.dirname, 'results', `${name}.jsonl`);
const read = (name: string) => parseResults(readFileSync(fileOf(name), 'utf8'));
const merged = mergeResults(read(`${stage}`), read(`${stage}.retry`));
writeFileSync(fileOf(`${stage}`), merged.map((result) => `${JSON.stringify(result)}\n`).join(''));
