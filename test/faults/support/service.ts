import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killOnExit } from './child-cleanup.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Compile cache of Node, as in the service's container image. */
export const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled');
const START_MS = 90_000;
/** Timeout of a readiness check; long, because the machine may be busy. */
const READINESS_TIMEOUT_MS = 10_000;
const POLL_MS = 20;
/** Number of characters of a process's last output that are kept to diagnose its exit. */
const MAX_OUTPUT_CHARACTERS = 20_000;

export interface ServicePlan {
  name: string;
  /** A path relative to the repository's root, and arguments. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** A URL that returns 2xx once the service is ready. */
  ready: string;
}

/** A service of the system that can be killed and restarted on the same port. */
export class ManagedService {
  readonly plan: ServicePlan;
  /** Additional environment for the next start. */
  extraEnv: NodeJS.ProcessEnv = {};
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #output = '';

  constructor(plan: ServicePlan) {
    this.plan = plan;
  }

  get running(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The latest output of both streams. */
  get output(): string {
    return this.#output;
  }

  /**
   * @returns milliseconds from the start of the process to its first successful response
   */
  async start(): Promise<number> {
    const started = performance.now();
    const { command } = this.plan;
    const child = spawn(process.execPath, command, {
      cwd: ROOT,
      env: {
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...withoutCallerSettings(process.env),
        ...this.plan.env,
        ...this.extraEnv,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    killOnExit(child);
    this.#ended = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        this.#output = (this.#output + text.toString()).slice(-MAX_OUTPUT_CHARACTERS);
      });
    }
    await this.ready(started);
    return performance.now() - started;
  }

  async ready(since = performance.now()): Promise<void> {
    while (!(await respondsOk(this.plan.ready))) {
      const isTimeout = performance.now() - since > START_MS;
      if (!this.running || isTimeout) {
        const failure = isTimeout ? 'did not become ready' : 'exited before it was ready';
        throw new Error(`${this.plan.name} ${failure}:\n${this.#output}`);
      }
      await sleep(POLL_MS);
    }
  }

  /** Sends SIGKILL, like a power failure. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.running) this.#child?.kill(signal);
    await this.#ended;
  }

  /** Waits until the process exits by itself. */
  async ended(): Promise<void> {
    await this.#ended;
  }
}

const respondsOk = (address: string): Promise<boolean> =>
  fetch(address, { signal: AbortSignal.timeout(READINESS_TIMEOUT_MS) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );

/** Removes the caller's own settings, such as a database or Stripe keys. */
function withoutCallerSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const callerSettings =
    /^(STRIPE_|DATABASE_URL$|API_|CONNECT_|SANDBOX_|DATA_DIR$|SMTP_|NODE_OPTIONS$)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !callerSettings.test(name)));
}
