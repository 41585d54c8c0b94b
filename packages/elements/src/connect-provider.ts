import { LitElement, css, html, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import {
  ComponentSession,
  type FetchSession,
  type SessionSource,
} from './tables/component-session.ts';
import { PageTheme } from './shared/page-theme.ts';
import { themeStyles } from './shared/theme.styles.ts';
import { resolveServer } from './shared/resolve-server.ts';

/** Type of the event that a table dispatches to find its provider: `tables/default-provider.ts`. */
export const PROVIDER_REQUEST = 'connect-provider-request';

/** The part of a table that its provider uses. */
interface ProvidedTable {
  requestUpdate(): void;
}

/**
 * Gives all tables inside it one session, one language and one theme.
 *
 * Use two providers on one page to show two organizations.
 *
 * @tag connect-provider
 * @fires {ConnectSessionEvent} connect-session-refreshed - The session was renewed.
 * @fires {ConnectSessionEvent} connect-session-expired - The session has ended; the viewer must sign in again.
 * @slot - The tables, and any other content.
 */
export class ConnectProvider extends LitElement {
  static override styles = [
    css`
      :host {
        display: contents;
      }
    `,
    themeStyles,
  ];

  /** URL of the server (BFF); by default the server that the script was loaded from. */
  @property() server = '';

  /**
   * Identifies the viewer. The page's own backend creates it; it is sent to the server as a bearer
   * token.
   */
  @property({ attribute: 'viewer-token' }) viewerToken: string | null = null;

  /** Language of texts, dates and amounts, such as `de-AT`; by default the page's. */
  @property() locale = '';

  /**
   * `light`, `dark`, or `auto`: like the page behind the element, else like the viewer's system. By
   * default the page's `color-scheme`.
   */
  @property({ reflect: true, useDefault: true }) theme: 'light' | 'dark' | 'auto' | '' = '';

  /**
   * Time zone of dates, such as `America/New_York`; by default the organization's, which the API
   * returns.
   */
  @property({ attribute: 'time-zone' }) timeZone = '';

  /** The page's own function that fetches a session, instead of `server` and `viewer-token`. */
  @property({ attribute: false }) fetchSession: FetchSession | undefined;

  /** @internal The tables inside, which are redrawn on every change. */
  readonly tables = new Set<ProvidedTable>();
  #session: ComponentSession | undefined;

  constructor() {
    super();
    new PageTheme(this);
    this.addEventListener(PROVIDER_REQUEST, (event) => {
      // The event bubbles, so the closest provider sets itself first.
      (event as Event & { provider?: ConnectProvider }).provider ??= this;
    });
  }

  /** @internal The session of the tables inside. */
  get session(): ComponentSession {
    const { viewerToken, fetchSession } = this;
    const server = resolveServer(this, this.server);
    return (this.#session ??= new ComponentSession(
      { server, viewerToken, fetchSession },
      this.isConnected ? this : document,
    ));
  }

  /** Ends the session and clears the tables; a new `viewerToken` starts a new session. */
  logout() {
    this.#session?.end();
  }

  /** @internal Uses another source of sessions, and reloads the tables. */
  renew(source: Partial<SessionSource>) {
    // Options of an earlier call do not stay.
    Object.assign(this, { server: '', viewerToken: null, fetchSession: undefined, ...source });
    this.#notifyTables(true);
  }

  protected override willUpdate(changed: PropertyValues) {
    if (this.locale) this.lang = this.locale;
    else if (changed.get('locale')) this.removeAttribute('lang');
    this.#notifyTables(['server', 'viewerToken', 'fetchSession'].some((name) => changed.has(name)));
  }

  /** @param other true if the source of the session has changed */
  #notifyTables(other: boolean) {
    if (other && !this.#session?.renew?.(this)) this.#session = undefined;
    for (const table of this.tables) table.requestUpdate();
  }

  protected override render() {
    return html`<slot></slot>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'connect-provider': ConnectProvider;
  }
}
