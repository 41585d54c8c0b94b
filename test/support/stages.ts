import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { styleText } from 'node:util';
import { FAILED_FILES_VARIABLE, readFailures } from './failed-files.ts';
import { exitOnHelpOption } from './help-option.ts';

/** One stage of a test run: its title and its command. */
export interface Stage {
  name: string;
  command: string;
  env?: Record<string, string>;
  /**
   * The command that runs the failed test files once more, for stages that may: in CI, they run a
   * second time (docs/decisions/0016-tests-and-ci.md).
   */
  retryCommand?: (files: readonly string[]) => string;
}

/**
 * Exit code of the fault tests when payments and donations do not match (double charges, lost
 * donations, different amounts). Such a stage is not retried.
 */
export const NO_RETRY_EXIT_CODE = 86;

interface Outcome {
  ok: boolean;
  code: number | null;
  output: string;
  seconds: number;
}

const ROOT = join(import.meta.dirname, '../..');

/** Runs stages one after the other, prints their durations, and stops at the first failure. */
export async function runSequentially(stages: readonly Stage[]): Promise<void> {
  exitOnHelpOption(
    `Runs these stages in order, and stops at the first failure:\n\n${commandsOf(stages)}`,
  );
  const started = performance.now();
  const flaky: string[] = [];
  for (const [index, stage] of stages.entries()) {
    console.log(styleText('bold', `\n[${index + 1}/${stages.length}] ${stage.name}`));
    console.log(styleText('dim', `$ ${stage.command}`));
    const repeated = await runWithRetry(stage);
    if (repeated === undefined) {
      return exitWithError(`\n${stage.name} failed. The stages after it did not run.`);
    }
    flaky.push(...repeated);
  }
  console.log(styleText('green', `\nAll ${stages.length} stages passed, ${elapsed(started)}.`));
  for (const name of flaky) {
    const warning = `Flaky: ${name} failed, then passed. The output of the failure is above.`;
    console.error(styleText('yellow', warning));
  }
}

/**
 * Runs a stage and, if it fails in CI, its failed test files once more. If no file was recorded, for
 * example because a service did not start, the whole stage runs once more.
 *
 * @returns what failed and then passed, or undefined if the stage failed
 */
async function runWithRetry(stage: Stage): Promise<string[] | undefined> {
  if (!stage.retryCommand || !process.env['CI'])
    return (await runAndPrint(stage)).ok ? [] : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'failed-files-'));
  const list = join(folder, 'list.txt');
  try {
    const env = { ...stage.env, [FAILED_FILES_VARIABLE]: list };
    const { ok, code } = await runAndPrint({ ...stage, env });
    if (ok) return [];
    if (code === NO_RETRY_EXIT_CODE) return undefined;
    const failures = readFailures(list);
    const retry =
      failures.length === 0
        ? { ...stage, name: `${stage.name}, second run` }
        : {
            ...stage,
            name: `${stage.name}, second run of ${failures.join(', ')}`,
            command: stage.retryCommand(failures),
          };
    console.log(styleText('dim', `$ ${retry.command}`));
    if (!(await runAndPrint(retry)).ok) return undefined;
    return failures.length === 0 ? [stage.name] : failures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runAndPrint(stage: Stage): Promise<Outcome> {
  const outcome = await run(stage, 'inherit');
  console.log(statusLine(stage, outcome.ok, outcome.seconds));
  return outcome;
}

/** Runs stages at the same time and prints the output of those that failed. */
export async function runConcurrently(stages: readonly Stage[]): Promise<void> {
  exitOnHelpOption(`Runs these stages concurrently:\n\n${commandsOf(stages)}`);
  const started = performance.now();
  const outcomes = await Promise.all(
    stages.map(async (stage) => {
      const outcome = await run(stage, 'pipe');
      console.log(statusLine(stage, outcome.ok, outcome.seconds));
      if (!outcome.ok) console.log(outcome.output);
      return outcome;
    }),
  );
  if (outcomes.some(({ ok }) => !ok)) return exitWithError(`Failed, ${elapsed(started)}.`);
  console.log(styleText('green', `Passed, ${elapsed(started)}.`));
}

/**
 * Runs a stage with `node_modules/.bin` first on PATH, so that it uses the Node version installed
 * in this repository. All processes share a compile cache, which saves about one second of CPU time
 * per process.
 */
function run({ command, env }: Stage, stdio: 'inherit' | 'pipe'): Promise<Outcome> {
  const started = performance.now();
  const sharedEnv = {
    PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
  };
  const options = { cwd: ROOT, shell: true, stdio, env: { ...process.env, ...sharedEnv, ...env } };
  return new Promise((resolve) => {
    const child = spawn(command, options);
    let output = '';
    child.stdout?.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr?.on('data', (text: Buffer) => (output += text.toString()));
    child.on('close', (code) => {
      resolve({ ok: code === 0, code, output, seconds: (performance.now() - started) / 1000 });
    });
  });
}

const commandsOf = (stages: readonly Stage[]) =>
  stages.map(({ name, command }) => `  ${name}\n    ${command}`).join('\n');

function statusLine({ name }: Stage, ok: boolean, seconds: number): string {
  const mark = ok ? styleText('green', 'ok ') : styleText('red', 'failed');
  return `${mark} ${name}, ${seconds.toFixed(1)} s`;
}

const elapsed = (started: number) => `${((performance.now() - started) / 1000).toFixed(0)} s`;

function exitWithError(message: string): void {
  console.error(styleText('red', message));
  process.exitCode = 1;
}
