import { ConnectEvent } from './events.ts';

/** Dispatched when the form's dialog opens. An inline form has no dialog. */
export class ConnectOpenEvent extends ConnectEvent {
  constructor() {
    super('connect-open');
  }
}

/**
 * Dispatched when the form's dialog closes. The donor's input is kept, and a payment in progress
 * continues.
 */
export class ConnectCloseEvent extends ConnectEvent {
  constructor() {
    super('connect-close');
  }
}

declare global {
  interface HTMLElementEventMap {
    'connect-open': ConnectOpenEvent;
    'connect-close': ConnectCloseEvent;
  }
}
