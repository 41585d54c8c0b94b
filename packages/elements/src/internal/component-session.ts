import type { Component, PageSession } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import { call } from './http.ts';

/** Renewed this long before its end, so that no read meets it. */
const RENEW_BEFORE_MS = 120_000;
/** A visitor's clock may be wrong: whatever it says, a session is not asked for more often. */
const SHORTEST_LIFE_MS = 30_000;

/**
 * One leave to read, shared by every table on the page that shows the same viewer's data.
 *
 * Tables that appear together are asked for together; a later one widens the leave for all.
 */
export class ComponentSession {
  static readonly #shared = new Map<string, ComponentSession>();

  /** The session of this server and viewer. */
  static of(server: string, viewerToken: string | null): ComponentSession {
    const key = `${server} ${viewerToken ?? ''}`;
    const known = this.#shared.get(key);
    if (known) return known;
    const session = new ComponentSession(server, viewerToken, () => this.#shared.delete(key));
    this.#shared.set(key, session);
    return session;
  }

  readonly #server: string;
  readonly #viewerToken: string | null;
  readonly #forget: () => void;
  readonly #users = new Map<Component, number>();
  #minted: Promise<PageSession> | undefined;
  #covers: readonly string[] = [];
  #mintedAt = 0;
  #expiresAt = 0;

  private constructor(server: string, viewerToken: string | null, forget: () => void) {
    this.#server = server;
    this.#viewerToken = viewerToken;
    this.#forget = forget;
  }

  /** A table takes part, from before its first read until `leave`. */
  join(component: Component) {
    this.#users.set(component, (this.#users.get(component) ?? 0) + 1);
  }

  leave(component: Component) {
    const left = (this.#users.get(component) ?? 1) - 1;
    if (left) this.#users.set(component, left);
    else this.#users.delete(component);
    if (this.#users.size === 0) this.#forget();
  }

  /** Reads from the API, with a fresh token where the old one has ended; repeated once. */
  async read<Answer>(component: Component, path: string, signal: AbortSignal): Promise<Answer> {
    for (let renewed = false; ; renewed = true) {
      const minted = this.#current(component);
      const { api_base, token } = await minted;
      signal.throwIfAborted();
      try {
        return await call<Answer>(`${api_base}${path}`, { token, signal });
      } catch (error) {
        const ended = error instanceof ConnectError && error.type === 'unauthorized';
        if (!ended || renewed) throw error;
        if (this.#minted === minted) this.#minted = undefined;
      }
    }
  }

  #current(component: Component): Promise<PageSession> {
    const now = Date.now();
    const old = now > this.#expiresAt - RENEW_BEFORE_MS && now - this.#mintedAt > SHORTEST_LIFE_MS;
    if (!this.#minted || old || !this.#covers.includes(component)) {
      const minting = this.#mint();
      minting.catch(() => {
        if (this.#minted === minting) this.#minted = undefined;
      });
      this.#minted = minting;
    }
    return this.#minted;
  }

  async #mint(): Promise<PageSession> {
    this.#mintedAt = this.#expiresAt = Infinity; // Nobody mints beside this one.
    this.#covers = ['donations', 'donors', 'payouts']; // Whoever joins in this turn is in it.
    await new Promise((resolve) => setTimeout(resolve));
    const components = [...this.#users.keys()].sort();
    this.#covers = components;
    const session = await call<PageSession>(`${this.#server}/component-sessions`, {
      body: JSON.stringify({ components }),
      token: this.#viewerToken ?? undefined,
    });
    this.#mintedAt = Date.now();
    this.#expiresAt = Date.parse(session.expires_at);
    return session;
  }
}
