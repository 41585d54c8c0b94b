import type pg from 'pg';

/** An SQL statement, or a call to the processor, that waits until the test runs it. */
interface Operation {
  name: string;
  /** Parameters of the statement. */
  values: unknown[];
  /** Runs the operation, and passes its result to the code that waits for it. */
  execute: () => Promise<void>;
}

/** Something that a process does, such as handling a request. It stops before each operation. */
export class SteppedAction<Result> {
  /** The result; undefined as long as the action is not finished. */
  result: Result | undefined;
  /** Number of operations that were run. */
  position = 0;
  /** Parameters of all statements that were run. */
  readonly sentValues = new Set<unknown>();
  readonly #waiting: Operation[] = [];
  #error: unknown;
  #isFinished = false;
  #changed = Promise.withResolvers<void>();

  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** The operation that `step` runs next. */
  get next(): string | undefined {
    return this.#waiting[0]?.name;
  }

  /** Starts the action and waits until its first operation can run. */
  async begin(action: () => Promise<Result>): Promise<void> {
    action()
      .then((result) => (this.result = result))
      .catch((error: unknown) => (this.#error = error))
      .finally(() => {
        this.#isFinished = true;
        this.#changed.resolve();
      });
    await this.#untilNextOperation();
  }

  /** Runs the next operation, and the code after it until the operation after that one. */
  async step(): Promise<void> {
    const operation = this.#waiting.shift();
    if (!operation) throw new Error('The action has no operation to run.');
    this.position += 1;
    for (const value of operation.values) this.sentValues.add(value);
    await operation.execute();
    await this.#untilNextOperation();
  }

  /** Runs all operations that are left. @throws the error of the action */
  async finish(): Promise<Result> {
    while (!this.#isFinished) await this.step();
    if (this.#error !== undefined) throw this.#error;
    return this.result!;
  }

  enqueue(operation: Operation): void {
    this.#waiting.push(operation);
    this.#changed.resolve();
  }

  async #untilNextOperation(): Promise<void> {
    while (!this.#isFinished && this.#waiting.length === 0) {
      this.#changed = Promise.withResolvers();
      await this.#changed.promise;
    }
  }
}

/**
 * A simulated process, which does one thing at a time and stops before each operation until the test
 * continues it. A test that continues several processes in turn chooses the order of their operations.
 *
 * A crash before an operation has the same effect as a crash after the operation before it. After a crash,
 * none of the action's later code runs, not even its error handlers, and its open transaction is rolled
 * back, as PostgreSQL does for a lost connection.
 */
export class SteppedProcess {
  /** The pool that the process uses. Its connections come from the real pool. */
  readonly pool: pg.Pool;
  readonly #clients = new Set<pg.PoolClient>();
  #current: SteppedAction<unknown> | undefined;

  constructor(pool: pg.Pool) {
    const connect = async () => {
      const client = await pool.connect();
      this.#clients.add(client);
      return { query: this.#queryOf(client), release: () => this.#release(client) };
    };
    const query = async (...args: unknown[]) => {
      const client = await connect();
      return await client.query(...args).finally(client.release);
    };
    this.pool = Object.assign(Object.create(pool) as pg.Pool, { connect, query });
  }

  /** Starts an action, which stops before its first operation. */
  async start<Result>(action: () => Promise<Result>): Promise<SteppedAction<Result>> {
    const started = new SteppedAction<Result>();
    this.#current = started as SteppedAction<unknown>;
    await started.begin(action);
    return started;
  }

  /**
   * Runs an action that crashes after the operation with this index. `Infinity` means no crash.
   *
   * @returns the result, or undefined if it crashed
   */
  async run<Result>(
    action: () => Promise<Result>,
    crashAfter = Infinity,
  ): Promise<Result | undefined> {
    const started = await this.start(action);
    while (!started.isFinished && started.position <= crashAfter) await started.step();
    if (started.isFinished && started.position <= crashAfter) return await started.finish();
    await this.crash();
    return undefined;
  }

  /** Abandons what the process does. */
  async crash(): Promise<void> {
    this.#current = undefined;
    for (const client of this.#clients) {
      await client.query('rollback');
      client.release();
    }
    this.#clients.clear();
  }

  /** Runs a call to the processor when the test continues the process. */
  operation = <Result>(execute: () => Promise<Result>, name: string): Promise<Result> =>
    this.#operation({ execute, name, values: [] });

  #operation<Result>({
    execute,
    ...operation
  }: Omit<Operation, 'execute'> & { execute: () => Promise<Result> }): Promise<Result> {
    const current = this.#current;
    if (!current) return execute();
    return new Promise((resolve, reject) => {
      current.enqueue({ ...operation, execute: () => execute().then(resolve, reject) });
    });
  }

  #queryOf = (client: pg.PoolClient) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    return (...args: unknown[]) => {
      const [statement, parameters] = args;
      const { text, values = [] } =
        typeof statement === 'string'
          ? { text: statement, values: parameters as unknown[] | undefined }
          : (statement as { text: string; values?: unknown[] });
      return this.#operation({ execute: () => query(...args), name: text, values });
    };
  };

  #release = (client: pg.PoolClient) => {
    if (this.#clients.delete(client)) client.release();
  };
}
