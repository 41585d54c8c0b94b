import { Command, CommanderError } from 'commander';
import { addAdministrationCommands } from '../../src/cli.ts';
import { formatError } from '../../src/lib/log.ts';
import { MINIMAL_ENV } from './processes.ts';

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command of `connect-embed` in this process, because a process of its own takes a second of processor time.
 * One command can run at a time: it has the environment and the output streams of the process.
 */
export async function runCommand(
  env: NodeJS.ProcessEnv,
  ...args: readonly string[]
): Promise<CommandResult> {
  const program = new Command('connect-embed').exitOverride();
  addAdministrationCommands(program);
  const previous = { env: process.env, exitCode: process.exitCode };
  process.env = { ...MINIMAL_ENV, ...env };
  const stdout = captureText(process.stdout);
  const stderr = captureText(process.stderr);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode;
    else {
      process.stderr.write(`${formatError(error)}\n`);
      process.exitCode = 1;
    }
  } finally {
    stdout.restore();
    stderr.restore();
    process.env = previous.env;
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = previous.exitCode;
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Keeps the text that is written to a stream. The test runner reports its results in buffers. */
function captureText(stream: NodeJS.WriteStream) {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  let captured = '';
  stream.write = (chunk: unknown, ...rest: unknown[]) => {
    if (typeof chunk !== 'string') return write(chunk, ...rest);
    captured += chunk;
    return true;
  };
  return { text: () => captured, restore: () => void (stream.write = write) };
}
