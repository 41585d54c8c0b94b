import { html } from './shared/html.ts';
import {
  ConnectElement,
  type PropertyDeclarations,
  type PropertyValues,
} from './shared/connect-element.ts';
import { css } from './shared/css.ts';
import {
  ComponentSession,
  type FetchSession,
  type SessionSource,
} from './tables/component-session.ts';
import { resolveTableServer } from './shared/server-address.ts';

/** Type of the event that a table dispatches to find its provider: `tables/default-provider.ts`. */
export const PROVIDER_REQUEST = 'connect-provider-request';

/** The part of a table that its provider uses. */
interface SessionConsumer {
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
export class ConnectProvider extends ConnectElement {
  static override styles = [
    css`
      :host {
        display: contents;
      }
      :host([theme='light']) {
        color-scheme: light;
      }
      :host([theme='dark']) {
        color-scheme: dark;
      }
      :host([theme='auto']) {
        color-scheme: light dark;
      }
    `,
  ];

  static override properties: PropertyDeclarations = {
    server: {},
    viewerToken: { attribute: 'viewer-token' },
    locale: {},
    theme: { reflect: true },
    timeZone: { attribute: 'time-zone' },
    fetchSession: { attribute: false },
  };

  /** URL of the server (BFF); by default the server that the script was loaded from. */
  server = '';

  /**
   * Identifies the viewer. The page's own backend creates it; it is sent to the server as a bearer
   * token.
   */
  viewerToken: string | null = null;

  /** Language of texts, dates and amounts, such as `de-AT`; by default the page's. */
  locale = '';

  /**
   * `light`, `dark`, or `auto`: like the page behind the element, else like the viewer's system. By
   * default the page's `color-scheme`.
   */
  theme: 'light' | 'dark' | 'auto' | '' = '';

  /**
   * Time zone of dates, such as `America/New_York`; by default the organization's, which the API
   * returns.
   */
  timeZone = '';

  /** The page's own function that fetches a session, instead of `server` and `viewer-token`. */
  fetchSession: FetchSession | undefined;

  /** @internal The tables inside, which are redrawn on every change. */
  readonly tables = new Set<SessionConsumer>();
  #session: ComponentSession | undefined;

  constructor() {
    super();
    this.addEventListener(PROVIDER_REQUEST, (event) => {
      // The event bubbles, so the closest provider sets itself first.
      (event as Event & { provider?: ConnectProvider }).provider ??= this;
    });
  }

  /** @internal The session of the tables inside. */
  get session(): ComponentSession {
    const { viewerToken, fetchSession } = this;
    const server = resolveTableServer(this.server);
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
    Object.assign(this, source);
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
