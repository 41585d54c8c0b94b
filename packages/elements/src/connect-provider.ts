import { LitElement, css, html, type PropertyDeclarations, type PropertyValues } from 'lit';
import {
  ComponentSession,
  type FetchSession,
  type SessionSource,
} from './internal/component-session.ts';
import { resolveTableServer } from './internal/script-url.ts';

/** How a table asks who provides for it. */
export const PROVIDER_REQUEST = 'connect-provider-wanted';

/** A table, as far as its provider knows it. */
interface SessionConsumer {
  requestUpdate(): void;
}

/**
 * What all tables inside share: one session, one language, one theme.
 *
 * Two of them on a page show two organizations.
 *
 * @tag connect-provider
 * @fires {ConnectSessionEvent} connect-session-refreshed - The session was renewed.
 * @fires {ConnectSessionEvent} connect-session-expired - It has ended; sign in again.
 * @slot - The tables, with whatever stands around them.
 */
export class ConnectProvider extends LitElement {
  static override styles = css`
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
  `;

  static override properties: PropertyDeclarations = {
    server: {},
    viewerToken: { attribute: 'viewer-token' },
    locale: {},
    theme: { reflect: true },
    timeZone: { attribute: 'time-zone' },
    fetchSession: { attribute: false },
  };

  /** Where the server answers; by default where the script came from. */
  server = '';

  /** Says who is looking; the page's own server makes it. Sent to the server as a bearer token. */
  viewerToken: string | null = null;

  /** Language of texts, dates and money, such as `de-AT`; by default the page's. */
  locale = '';

  /** `light`, `dark`, or `auto` as the page behind it is, else the viewer's system; by default the page's `color-scheme`. */
  theme: 'light' | 'dark' | 'auto' | '' = '';

  /** The organization's zone, such as `America/New_York`; by default as the API tells it. */
  timeZone = '';

  /** The page's own way to a session, in place of `server` and `viewer-token`. */
  fetchSession: FetchSession | undefined;

  /** @internal The tables inside, which are told of every change. */
  readonly tables = new Set<SessionConsumer>();
  #session: ComponentSession | undefined;

  constructor() {
    super();
    this.addEventListener(PROVIDER_REQUEST, (event) => {
      // The closest one is asked first.
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

  /** Forgets the session and clears the tables; another `viewerToken` begins anew. */
  logout() {
    this.#session?.end();
  }

  /** @internal Begins anew with another source of sessions. */
  renew(source: Partial<SessionSource>) {
    Object.assign(this, source);
    this.#notifyTables(true);
  }

  protected override willUpdate(changed: PropertyValues) {
    if (changed.has('locale') && this.locale) this.lang = this.locale;
    this.#notifyTables(['server', 'viewerToken', 'fetchSession'].some((name) => changed.has(name)));
  }

  /** @param other the session may be another one */
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
