import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killOnExit } from './child-cleanup.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** As in the image of the service: what has been compiled once is not compiled at every start. */
export const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/compiled');
const START_MS = 90_000;
/** On a machine that has much else to do, an answer takes its time. */
const ANSWER_MS = 10_000;
const POLL_MS = 20;
/** What a process said last is enough to see why it ended. */
const MAX_OUTPUT_CHARACTERS = 20_000;

export interface ServicePlan {
  name: string;
  /** From the root of the repository, and its arguments. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Answers 2xx when the room can serve. */
  ready: string;
}

/** A process of the house that is killed and started again, always at the same address. */
export class ManagedService {
  readonly plan: ServicePlan;
  /** What this life and the next ones are told besides. */
  extraEnv: NodeJS.ProcessEnv = {};
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #said = '';

  constructor(plan: ServicePlan) {
    this.plan = plan;
  }

  get running(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** What it wrote lately, on both streams. */
  get said(): string {
    return this.#said;
  }

  /** @returns the milliseconds from the start of the process to its first good answer */
  async start(): Promise<number> {
    const started = performance.now();
    const { command } = this.plan;
    const child = spawn(process.execPath, command, {
      cwd: ROOT,
      env: {
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...quiet(process.env),
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
        this.#said = (this.#said + text.toString()).slice(-MAX_OUTPUT_CHARACTERS);
      });
    }
    await this.ready(started);
    return performance.now() - started;
  }

  async ready(since = performance.now()): Promise<void> {
    while (!(await answers(this.plan.ready))) {
      const late = performance.now() - since > START_MS;
      if (!this.running || late) {
        const how = late ? 'did not answer' : 'ended';
        throw new Error(`${this.plan.name} ${how} when it was to serve:\n${this.#said}`);
      }
      await sleep(POLL_MS);
    }
  }

  /** Ends it as a power cut does. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.running) this.#child?.kill(signal);
    await this.#ended;
  }

  /** Waits until it has ended by itself. */
  async ended(): Promise<void> {
    await this.#ended;
  }
}

export const answers = (address: string): Promise<boolean> =>
  fetch(address, { signal: AbortSignal.timeout(ANSWER_MS) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.ok;
    },
    () => false,
  );

/** Nothing of the caller's own settings leaks in: not a database, not Stripe keys. */
function quiet(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign = /^(STRIPE_|DATABASE_URL$|API_|CONNECT_|SANDBOX_|DATA_DIR$|SMTP_|NODE_OPTIONS$)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}
