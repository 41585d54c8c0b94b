import type { ComponentSession } from '@connect-embed/contract';
import type { OpenedSession } from './open-session.ts';

/**
 * Pages that share one session of the API. Each of its own would cost the credential a call a page
 * view; more than these would meet the 120 requests a minute that the session has.
 */
const PAGES_PER_SESSION = 5;
/** Whoever gets a shared session has it for at least so long. */
const MIN_REMAINING_MS = 30 * 60_000;

interface SharedSession {
  opened: Promise<OpenedSession<ComponentSession>>;
  pages: number;
}

/** Sessions that show what everybody may see: several pages have one together. */
export class PublicSessions {
  readonly #now: () => number;
  readonly #shared = new Map<string, SharedSession>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * @param scope what it shows, of whom, and what it keeps back; pages that show the same share it
   * @param open makes a new one
   */
  async share(
    scope: object,
    open: () => Promise<OpenedSession<ComponentSession>>,
  ): Promise<OpenedSession<ComponentSession>> {
    const key = JSON.stringify(scope);
    const existing = this.#shared.get(key);
    if (existing && existing.pages < PAGES_PER_SESSION) {
      existing.pages += 1;
      const opened = await existing.opened;
      if (opened.expiresAt - this.#now() > MIN_REMAINING_MS) return opened;
    }
    const replacement = this.#shared.get(key);
    if (replacement && replacement !== existing) return await this.share(scope, open); // Somebody was faster.
    const opened = open();
    this.#shared.set(key, { opened, pages: 1 });
    opened.catch(() => this.#shared.delete(key));
    return await opened;
  }
}
