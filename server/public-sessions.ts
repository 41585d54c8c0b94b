import type { ComponentSession } from '@connect-embed/contract';
import type { Opened } from './session-lifetime.ts';

/**
 * Pages that share one session of the API. Each of its own would cost the credential a call a page
 * view; more than these would meet the 120 requests a minute that the session has.
 */
const PAGES_A_SESSION = 5;
/** Whoever gets a shared session has it for at least so long. */
const LEAST_LEFT_MS = 30 * 60_000;

interface Shared {
  opened: Promise<Opened<ComponentSession>>;
  pages: number;
}

/** Sessions that show what everybody may see: several pages have one together. */
export class PublicSessions {
  readonly #now: () => number;
  readonly #shared = new Map<string, Shared>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * @param shows what it shows, of whom, and what it keeps back; pages that show the same share it
   * @param open makes a new one
   */
  async share(
    shows: object,
    open: () => Promise<Opened<ComponentSession>>,
  ): Promise<Opened<ComponentSession>> {
    const key = JSON.stringify(shows);
    const known = this.#shared.get(key);
    if (known && known.pages < PAGES_A_SESSION) {
      known.pages += 1;
      const opened = await known.opened;
      if (opened.expiresAt - this.#now() > LEAST_LEFT_MS) return opened;
    }
    const newer = this.#shared.get(key);
    if (newer && newer !== known) return await this.share(shows, open); // Somebody was faster.
    const opened = open();
    this.#shared.set(key, { opened, pages: 1 });
    opened.catch(() => this.#shared.delete(key));
    return await opened;
  }
}
