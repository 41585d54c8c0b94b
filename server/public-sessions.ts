import type { ComponentSession } from '@connect-embed/contract';

/**
 * Pages that share one session of the API. Each of its own would cost the credential a call a page
 * view; more than these would meet the 120 requests a minute that the session has.
 */
const PAGES_A_SESSION = 5;
/** Whoever gets a shared session has it for at least so long. */
const LEAST_LEFT_MS = 30 * 60_000;

interface Shared {
  session: Promise<ComponentSession>;
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
   * @param components what it shows; pages that show the same share it
   * @param open makes a new one
   */
  async share(
    components: readonly string[],
    open: () => Promise<ComponentSession>,
  ): Promise<ComponentSession> {
    const key = [...new Set(components)].sort().join();
    const known = this.#shared.get(key);
    if (known && known.pages < PAGES_A_SESSION) {
      known.pages += 1;
      const session = await known.session;
      if (Date.parse(session.expires_at) - this.#now() > LEAST_LEFT_MS) return session;
    }
    const newer = this.#shared.get(key);
    if (newer && newer !== known) return await this.share(components, open); // Somebody was faster.
    const session = open();
    this.#shared.set(key, { session, pages: 1 });
    session.catch(() => this.#shared.delete(key));
    return await session;
  }
}
