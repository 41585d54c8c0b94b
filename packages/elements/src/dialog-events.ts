/**
 * The events of a form's dialog. They extend `Event` itself and import nothing, so that they are
 * part of the file that only pages with a dialog fetch: `internal/lazy-features.ts`.
 */

/** As every event of an element, these leave its shadow root and bubble up the page. */
const BUBBLES_COMPOSED = { bubbles: true, composed: true };

/** The dialog of a form that stands apart from the page has opened. An inline form has none. */
export class ConnectOpenEvent extends Event {
  constructor() {
    super('connect-open', BUBBLES_COMPOSED);
  }
}

/** The dialog has closed. What the donor typed is kept, and a gift that was begun goes on. */
export class ConnectCloseEvent extends Event {
  constructor() {
    super('connect-close', BUBBLES_COMPOSED);
  }
}

declare global {
  interface HTMLElementEventMap {
    'connect-open': ConnectOpenEvent;
    'connect-close': ConnectCloseEvent;
  }
}
