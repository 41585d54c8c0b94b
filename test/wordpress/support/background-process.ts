import { spawn, type ChildProcess } from 'node:child_process';

const START_MILLISECONDS = 60_000;

/** A program that runs until it is stopped. Its output is part of the error if it does not start. */
export class BackgroundProcess {
  readonly #child: ChildProcess;
  #output = '';

  constructor(program: string, args: readonly string[], env: Record<string, string> = {}) {
    this.#child = spawn(program, args, {
      // A process group of its own: PHP’s server starts workers, which are stopped with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (text: Buffer) => (this.#output += text.toString()));
    }
  }

  /** @throws {Error} with the output if the program ends first, or after a timeout */
  async waitUntil(isReady: () => boolean | Promise<boolean>): Promise<void> {
    const end = performance.now() + START_MILLISECONDS;
    while (!(await isReady())) {
      if (this.#child.exitCode !== null || performance.now() > end) {
        await this.stop();
        throw new Error(`${this.#child.spawnfile} did not start:\n${this.#output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    process.kill(-this.#child.pid!, 'SIGTERM');
    await ended;
  }
}
