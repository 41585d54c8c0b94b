import type { Component } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import type { ComponentSession, SessionSource } from '../internal/component-session.ts';
import type { PagedList } from '../internal/paged-list.ts';
import { resolveTableServer } from '../internal/script-url.ts';
import type { Resource } from './table-element.ts';

/** What differs between two tokens that say the same (RFC 7519, 4.1). */
const TIME_CLAIMS = new Set(['exp', 'iat', 'nbf', 'jti']);

/** Whoever says where rows come from: a table, or the provider around it. */
type SessionElement = HTMLElement & SessionSource;

/**
 * Whose rows are shown, as far as a page can know.
 *
 * A renewed leave to read changes nothing on the screen, and another viewer's empties it at once. What
 * the tokens say tells the one from the other before anybody is asked; the session that comes of it
 * has the last word, for a host may answer the same token with another organization.
 */
export class SessionRenewal<Row extends Resource> {
  readonly #pages: PagedList<Row>;
  readonly #resetFeatures: () => void;
  #session: ComponentSession | undefined;
  #minted: ComponentSession['minted'];
  #token: string | null = null;
  #error: unknown;
  #dataScope: string | undefined;

  /** @param resetFeatures whatever was made of the rows, besides them, is another's */
  constructor(pages: PagedList<Row>, resetFeatures = () => {}) {
    this.#pages = pages;
    this.#resetFeatures = resetFeatures;
  }

  /** After every drawing. */
  update() {
    const { component, error, session, status } = this.#pages;
    if (!session) return;
    const { viewerToken } = session.source;
    if (session !== this.#session) {
      if (this.#session) this.#resetFeatures();
      this.#session = session;
      this.#token = viewerToken;
      this.#dataScope = undefined;
    }
    if (error !== this.#error && isAuthError(error)) this.#resetFeatures();
    this.#error = error;
    if (status === 'ready') session.renew ??= (element) => renew(component, session, element);
    // What could not be read with the token before may be with this one.
    if (viewerToken !== this.#token && status === 'failed') void this.#pages.first();
    this.#token = viewerToken;
    if (session.minted === this.#minted) return;
    this.#minted = session.minted;
    this.#minted?.then(
      ({ organization_id, masks }) => this.#handleSession(session, `${organization_id} ${masks}`),
      (reason: unknown) => this.#handleRefusal(session, reason),
    );
  }

  /** Before anything is read with it: whoever reads waits for the session, too, and then for the API. */
  #handleSession(session: ComponentSession, dataScope: string) {
    if (session !== this.#session) return;
    const same = this.#dataScope === undefined || this.#dataScope === dataScope;
    this.#dataScope = dataScope;
    if (!same) this.#reset();
  }

  /** A leave that has only ended may be renewed yet. */
  #handleRefusal(session: ComponentSession, reason: unknown) {
    const shown = session === this.#session && this.#pages.status === 'ready';
    if (shown && isAuthError(reason, 'forbidden')) this.#reset();
  }

  #reset() {
    this.#resetFeatures();
    this.#pages.beginAnew();
  }
}

const isAuthError = (error: unknown, type = 'unauthorized') =>
  error instanceof ConnectError && error.type === type;

/** Whether the session goes on with what an element says now; if so, with the later token. */
function renew(component: Component, session: ComponentSession, element: SessionElement): boolean {
  const { source } = session;
  // A table's own session is not the one of the provider around it.
  if ('fetchSession' in element !== 'fetchSession' in source) return false;
  if (element.fetchSession || source.fetchSession) return false;
  if (resolveTableServer(element.server) !== source.server) return false;
  const { viewerToken } = element;
  if (viewerToken === source.viewerToken) return true;
  const [before, now] = [read(source.viewerToken), read(viewerToken)];
  if (!before || before.claims !== now?.claims) return false;
  // Of two tables with one session, one may have heard of the new token first.
  if (now.exp > before.exp) {
    source.viewerToken = viewerToken;
    session.minted = undefined;
    session.read(component, '', new AbortController().signal, async () => {}).catch(() => {});
  }
  return true;
}

/** What a token says besides its times; undefined of one that cannot be read, or never ends. */
function read(token: string | null): { claims: string; exp: number } | undefined {
  try {
    const body = token!.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const claims = Object.entries(JSON.parse(atob(body)) as Record<string, unknown>).sort();
    const { exp } = Object.fromEntries(claims);
    if (typeof exp !== 'number') return undefined;
    return { exp, claims: JSON.stringify(claims.filter(([name]) => !TIME_CLAIMS.has(name))) };
  } catch {
    return undefined;
  }
}
