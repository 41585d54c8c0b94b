import { ConnectEvent } from './events.ts';

/**
 * Dispatched on the provider, or on the document for tables without one, when a table's session was
 * renewed (`refreshed`), or has ended and could not be renewed (`expired`). After `expired` the viewer
 * must sign in again.
 */
export class ConnectSessionEvent extends ConnectEvent {
  constructor(outcome: 'refreshed' | 'expired') {
    super(`connect-session-${outcome}`);
  }
}

declare global {
  interface HTMLElementEventMap {
    'connect-session-refreshed': ConnectSessionEvent;
    'connect-session-expired': ConnectSessionEvent;
  }
}
