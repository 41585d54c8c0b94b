import { spawn, type ChildProcess } from 'node:child_process';

/** Long enough to seed several hundred donations on a busy machine. */
const START_MILLISECONDS = 90_000;
const STOP_MILLISECONDS = 60_000;

interface Options {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Also stops the processes that the program starts. */
  stopsGroup?: boolean;
}

/** A program that runs until it is stopped, with its output. */
export class BackgroundProcess {
  readonly #child: ChildProcess;
  readonly #stopsGroup: boolean;
  #output = '';
  #exit: number | undefined;

  constructor(
    program: string,
    args: readonly string[],
    { cwd, env, stopsGroup = false }: Options = {},
  ) {
    this.#stopsGroup = stopsGroup;
    this.#child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      detached: stopsGroup,
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
    this.#kill('SIGTERM');
    const timer = setTimeout(() => this.#kill('SIGKILL'), STOP_MILLISECONDS);
    await ended;
    clearTimeout(timer);
    return this.#exit ?? 1;
  }

  #kill(signal: NodeJS.Signals): void {
    if (this.#stopsGroup) process.kill(-this.#child.pid!, signal);
    else this.#child.kill(signal);
  }
}
