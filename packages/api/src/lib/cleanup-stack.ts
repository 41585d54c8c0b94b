/**
 * Functions that release resources, the last one first. It has the methods of `AsyncDisposableStack`
 * that we use; Node 20 has no such class.
 */
export class CleanupStack {
  #cleanups: (() => unknown)[] = [];

  /** Adds a function, which may return a promise. */
  defer(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup);
  }

  /** Moves all functions to a new stack, so that they outlive the scope of this one. */
  move(): CleanupStack {
    const moved = new CleanupStack();
    moved.#cleanups = this.#cleanups;
    this.#cleanups = [];
    return moved;
  }

  /**
   * Calls every function, even if one fails.
   *
   * @throws the first error of a function
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (let cleanup = this.#cleanups.pop(); cleanup; cleanup = this.#cleanups.pop()) {
      try {
        await cleanup();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
