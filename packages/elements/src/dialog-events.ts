/**
 * The events of a form's dialog. They extend `Event` and import nothing, so that they are bundled
 * with the dialog, which only pages that use it load: `form/lazy-features.ts`.
 */

/** Like all events of the elements, these bubble and cross shadow root boundaries. */
const BUBBLES_COMPOSED = { bubbles: true, composed: true };

/** Dispatched when the form's dialog opens. An inline form has no dialog. */
export class ConnectOpenEvent extends Event {
  constructor() {
    super('connect-open', BUBBLES_COMPOSED);
  }
}

/**
 * Dispatched when the form's dialog closes. The donor's input is kept, and a payment in progress
 * continues.
 */
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
