import type { List } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';

/** Maximum delay after failures. */
const MAX_DELAY_SECONDS = 60;

/**
 * Polls a table's list at an interval while the page is visible.
 *
 * A separate chunk, loaded once the first rows are shown.
 */
export class Poller {
  readonly #poll: () => Promise<void>;
  #intervalSeconds = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(poll: () => Promise<void>) {
    this.#poll = poll;
  }

  /** @param intervalSeconds 0 turns polling off */
  start(intervalSeconds: number) {
    this.stop();
    if (!intervalSeconds) return;
    this.#intervalSeconds = intervalSeconds;
    this.#failures = 0;
    document.addEventListener('visibilitychange', this.#handleVisibility);
    this.#schedule(intervalSeconds);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#intervalSeconds = 0;
    document.removeEventListener('visibilitychange', this.#handleVisibility);
  }

  #schedule(seconds: number) {
    clearTimeout(this.#timer);
    this.#timer = document.hidden ? undefined : setTimeout(this.#run, seconds * 1000);
  }

  readonly #handleVisibility = () => {
    if (document.hidden) clearTimeout(this.#timer);
    else this.#schedule(0);
  };

  readonly #run = async () => {
    let delay = this.#intervalSeconds;
    try {
      await this.#poll();
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      const retryAfter = error instanceof ConnectError ? (error.retryAfterSeconds ?? 0) : 0;
      const backOff = Math.min(delay * 2 ** this.#failures, MAX_DELAY_SECONDS);
      delay = Math.max(backOff, retryAfter);
    }
    if (this.#intervalSeconds) this.#schedule(delay);
  };
}

/**
 * Merges the current first page into the shown rows: new rows are added at the top, known rows are
 * updated.
 *
 * @returns undefined if all rows are new: there may be rows in between, so the table must be
 *   reloaded
 */
export function mergeRows<Row extends { id: string }>(rows: Row[], { data }: List<Row>) {
  const known = new Set(rows.map(({ id }) => id));
  const added = data.filter(({ id }) => !known.has(id));
  if (added.length > 0 && added.length === data.length) return undefined;
  const latest = new Map(data.map((row) => [row.id, row]));
  return { added, rows: [...added, ...rows.map((row) => latest.get(row.id) ?? row)] };
}
