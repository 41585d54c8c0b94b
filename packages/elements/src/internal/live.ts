import type { List } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';

/** After failures it looks less and less often, down to this. */
const LONGEST_PAUSE_SECONDS = 60;

/**
 * Looks for news every few seconds while somebody can see the page.
 *
 * A file of its own, fetched once the first rows are shown.
 */
export class Live {
  readonly #look: () => Promise<void>;
  #everySeconds = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(look: () => Promise<void>) {
    this.#look = look;
  }

  /** @param everySeconds 0 never looks */
  start(everySeconds: number) {
    this.stop();
    if (!everySeconds) return;
    this.#everySeconds = everySeconds;
    this.#failures = 0;
    document.addEventListener('visibilitychange', this.#seen);
    this.#later(everySeconds);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#everySeconds = 0;
    document.removeEventListener('visibilitychange', this.#seen);
  }

  #later(seconds: number) {
    clearTimeout(this.#timer);
    this.#timer = document.hidden ? undefined : setTimeout(this.#now, seconds * 1000);
  }

  readonly #seen = () => {
    if (document.hidden) clearTimeout(this.#timer);
    else this.#later(0);
  };

  readonly #now = async () => {
    let pause = this.#everySeconds;
    try {
      await this.#look();
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      const told = error instanceof ConnectError ? (error.retryAfterSeconds ?? 0) : 0;
      const backOff = Math.min(pause * 2 ** this.#failures, LONGEST_PAUSE_SECONDS);
      pause = Math.max(backOff, told);
    }
    if (this.#everySeconds) this.#later(pause);
  };
}

/**
 * Brings the first page of now into the rows that are shown: new ones come first, known ones take
 * their present state.
 *
 * @returns undefined when no row is known: what lies between is not, so the table begins anew
 */
export function mergeRows<Row extends { id: string }>(rows: Row[], { data }: List<Row>) {
  const known = new Set(rows.map(({ id }) => id));
  const added = data.filter(({ id }) => !known.has(id));
  if (added.length > 0 && added.length === data.length) return undefined;
  const latest = new Map(data.map((row) => [row.id, row]));
  return { added, rows: [...added, ...rows.map((row) => latest.get(row.id) ?? row)] };
}
