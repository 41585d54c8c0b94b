import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addAdministrationCommands } from '@connect-embed/api/cli';
import { Command } from 'commander';
import { addDemoCommand } from './demo.ts';
import { addListenCommand } from './listen.ts';
import { addMcpCommand } from './mcp.ts';
import { addServeCommand } from './serve.ts';

const ROOT = join(import.meta.dirname, '../../..');
const DOCUMENTS = globSync(
  '{*.md,docs/**/*.md,{packages/*,server,demo}/*.md,packages/publish/readmes/*.md,deploy/**/*.*}',
  { cwd: ROOT, exclude: ['docs/decisions/**'] },
);

const program = new Command().option('--env-file <file>');
for (const add of [addDemoCommand, addServeCommand, addListenCommand, addMcpCommand]) add(program);
addAdministrationCommands(program);

/** A documented command, such as `connect-embed keys create --name Server`, to the end of the code. */
const COMMAND = /(?:[`\s]connect-embed|npm run connect --) ([a-z][a-z-]*(?: [^\n`#|&>]*)?)/g;
const OPTIONS_OF_EVERY_COMMAND = ['--help', '--env-file', '--version'];

/** Returns what is wrong with a documented command. */
function findProblem(text: string): string | undefined {
  const words = text.trim().split(/\s+/);
  let command: Command = program;
  for (;;) {
    const next = command.commands.find((each) => each.name() === words[0]);
    if (!next) break;
    command = next;
    words.shift();
  }
  if (command === program) return 'no such command';
  const known = command.options.map(({ long }) => long);
  const used = words.flatMap((word) => /^--[\w-]+/.exec(word)?.[0] ?? []);
  const unknown = used.find((name) => ![...known, ...OPTIONS_OF_EVERY_COMMAND].includes(name));
  return unknown && `${command.name()} has no option ${unknown}`;
}

/** A command and its subcommands. */
const allOf = (command: Command): Command[] => [command, ...command.commands.flatMap(allOf)];

test('every help shows defaults in words', () => {
  for (const command of allOf(program)) {
    assert.doesNotMatch(command.helpInformation(), /default: [{[]|undefined/, command.name());
  }
});

test('every documented command and its options exist', () => {
  const commands = DOCUMENTS.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(COMMAND)].map(([, text]) => ({
      file,
      text: text!,
    })),
  );
  assert.ok(commands.length > 30);
  const problems = commands.flatMap(({ file, text }) => {
    const problem = findProblem(text);
    return problem ? [`${file}: ${text}: ${problem}`] : [];
  });
  assert.deepEqual(problems, []);
});
