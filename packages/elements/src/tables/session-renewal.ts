import type { Component } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ComponentSession, SessionSource } from './component-session.ts';
import type { PagedList } from './paged-list.ts';
import { resolveServer } from '../shared/resolve-server.ts';
import type { Resource } from './column.ts';

/** JWT claims that differ between tokens of the same viewer (RFC 7519, 4.1). */
const TIME_CLAIMS = new Set(['exp', 'iat', 'nbf', 'jti']);

/** The element that defines the session: a table, or the provider around it. */
type SessionElement = HTMLElement & SessionSource;

/**
 * Detects whether a new viewer token belongs to the same viewer.
 *
 * For the same viewer the rows stay, and only the session is renewed. For another viewer the rows are
 * cleared immediately. The claims of the two tokens are compared before any request is sent. The new
 * session can still overrule the result, because a server may return another organization for the same
 * viewer.
 */
export class SessionRenewal<Row extends Resource> implements ReactiveController {
  readonly #pages: PagedList<Row>;
  readonly #resetFeatures: () => void;
  #session: ComponentSession | undefined;
  #minted: ComponentSession['minted'];
  #token: string | null = null;
  #error: unknown;
  #dataScope: string | undefined;

  /** @param resetFeatures discards everything derived from the rows: details, totals, chart, export */
  constructor(
    host: ReactiveControllerHost & { pages: PagedList<Row> },
    resetFeatures: () => void = () => {},
  ) {
    this.#pages = host.pages;
    this.#resetFeatures = resetFeatures;
    host.addController(this);
  }

  hostUpdated() {
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
    // A load that failed with the previous token may succeed with the new one.
    if (viewerToken !== this.#token && status === 'failed') void this.#pages.loadFirstPage();
    this.#token = viewerToken;
    if (session.minted === this.#minted) return;
    this.#minted = session.minted;
    this.#minted?.then(
      ({ organization_id, masks }) => this.#handleSession(session, `${organization_id} ${masks}`),
      (reason: unknown) => this.#handleRefusal(session, reason),
    );
  }

  /**
   * Clears the rows if the new session is of another organization or masks other fields. Runs before
   * any request with that session.
   */
  #handleSession(session: ComponentSession, dataScope: string) {
    if (session !== this.#session) return;
    const isSameScope = this.#dataScope === undefined || this.#dataScope === dataScope;
    this.#dataScope = dataScope;
    if (!isSameScope) this.#reset();
  }

  /**
   * The host refuses the viewer (forbidden): clears the rows. An expired token (unauthorized) does not
   * clear them, because it may still be renewed.
   */
  #handleRefusal(session: ComponentSession, reason: unknown) {
    const shown = session === this.#session && this.#pages.status === 'ready';
    if (shown && isAuthError(reason, 'forbidden')) this.#reset();
  }

  #reset() {
    this.#resetFeatures();
    this.#pages.reset();
  }
}

const isAuthError = (error: unknown, type = 'unauthorized') =>
  error instanceof ConnectError && error.type === type;

/**
 * Renews the session if the element's token is of the same viewer, and returns whether the session can
 * be kept.
 */
function renew(component: Component, session: ComponentSession, element: SessionElement): boolean {
  const { source } = session;
  // A table's own session is never that of a provider.
  if ('fetchSession' in element !== 'fetchSession' in source) return false;
  if (element.fetchSession || source.fetchSession) return false;
  if (resolveServer(element, element.server) !== source.server) return false;
  const { viewerToken } = element;
  if (viewerToken === source.viewerToken) return true;
  const [before, now] = [read(source.viewerToken), read(viewerToken)];
  if (!before || before.claims !== now?.claims) return false;
  // Tables that share a session call this one after the other; keep the later token.
  if (now.exp > before.exp) {
    source.viewerToken = viewerToken;
    session.minted = undefined;
    session.read(component, '', new AbortController().signal, async () => {}).catch(() => {});
  }
  return true;
}

/** Returns the claims and expiry of a JWT. Undefined if it cannot be decoded or has no expiry. */
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
