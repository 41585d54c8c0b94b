import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

const END = '--- end of the script ---';

/**
 * Opens a shell in an empty folder that runs scripts one after another, as a reader of a guide does. A
 * script sees the variables and files of earlier scripts, and a failing command fails the test.
 */
export async function openTerminal() {
  const cwd = await mkdtemp(join(tmpdir(), 'connect-terminal-'));
  const shell = spawn('bash', ['-eo', 'pipefail'], { cwd, stdio: 'pipe' });
  after(async () => {
    shell.kill();
    await rm(cwd, { recursive: true, force: true });
  });
  let output = '';
  let errors = '';
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));

  /** Runs a script and returns its output. */
  return async (script: string): Promise<string> => {
    output = '';
    shell.stdin.write(`${script}\necho '${END}'\n`);
    while (!output.includes(`${END}\n`)) {
      if (shell.exitCode !== null) throw new Error(`The script failed:\n${script}\n${errors}`);
      await new Promise((done) => setTimeout(done, 10));
    }
    return output.slice(0, output.indexOf(`${END}\n`));
  };
}
