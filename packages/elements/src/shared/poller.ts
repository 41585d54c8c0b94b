/** Longer delays overflow the timer of browsers, which then fires at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Calls a function again and again while the page is visible. */
export class Poller {
  readonly #poll: () => Promise<number>;
  /** When the next poll is due, in milliseconds since the epoch; undefined while polling is stopped. */
  #dueAt: number | undefined;
  #isPolling = false;
  #isPaused = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param poll returns the delay until the next poll, in milliseconds. It must not reject. */
  constructor(poll: () => Promise<number>) {
    this.#poll = poll;
  }

  /** Polls after a delay. While polling is started, this replaces the current delay. */
  start(delayMs: number) {
    this.#dueAt = Date.now() + delayMs;
    document.addEventListener('visibilitychange', this.#schedule);
    this.#schedule();
  }

  stop() {
    this.#dueAt = undefined;
    document.removeEventListener('visibilitychange', this.#schedule);
    clearTimeout(this.#timer);
  }

  /** Polls no more until `resume`. A poll that becomes due meanwhile is made then. */
  pause() {
    this.#isPaused = true;
    this.#schedule();
  }

  resume() {
    this.#isPaused = false;
    this.#schedule();
  }

  readonly #schedule = () => {
    clearTimeout(this.#timer);
    const isWaiting = this.#isPaused || this.#isPolling || document.hidden;
    if (this.#dueAt === undefined || isWaiting) return;
    this.#timer = setTimeout(this.#pollOnce, Math.min(this.#dueAt - Date.now(), MAX_DELAY_MS));
  };

  readonly #pollOnce = async () => {
    const dueAt = this.#dueAt;
    this.#isPolling = true;
    const delayMs = await this.#poll();
    this.#isPolling = false;
    // Unless `start` or `stop` was called meanwhile.
    if (this.#dueAt === dueAt) this.#dueAt = Date.now() + delayMs;
    this.#schedule();
  };
}
