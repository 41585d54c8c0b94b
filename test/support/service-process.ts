import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Long enough to seed several hundred donations on a busy machine. */
const START_MILLISECONDS = 90_000;
const STOP_MILLISECONDS = 60_000;

/** A service as a child process, with its output. */
export class ServiceProcess {
  readonly #child: ChildProcess;
  #output = '';
  #exit: number | undefined;

  /**
   * @param file TypeScript file, relative to the root of the repository
   */
  constructor(file: string, env: NodeJS.ProcessEnv, args: readonly string[] = []) {
    this.#child = spawn(process.execPath, [file, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (text: Buffer) => (this.#output += text.toString()));
    }
    this.#child.on('exit', (code, signal) => (this.#exit = code ?? (signal ? 128 : 1)));
  }

  get output(): string {
    return this.#output;
  }

  /**
   * @throws with the whole output if the process exits first, or after a timeout
   */
  async waitUntil(ready: () => boolean | Promise<boolean>, condition: string): Promise<void> {
    const end = performance.now() + START_MILLISECONDS;
    while (!(await ready())) {
      const problem =
        this.#exit !== undefined ? `ended with ${this.#exit} before` : 'took too long until';
      if (this.#exit !== undefined || performance.now() > end) {
        await this.stop();
        throw new Error(`The process ${problem} ${condition}:\n${this.#output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /**
   * Sends SIGTERM, and SIGKILL after a timeout.
   *
   * @returns the exit code
   */
  async stop(): Promise<number> {
    if (this.#exit !== undefined) return this.#exit;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MILLISECONDS);
    await ended;
    clearTimeout(timer);
    return this.#exit ?? 1;
  }
}
