import { ConnectEvent } from './events.ts';

/**
 * Told on the provider, or on the document, of a table's session: it was renewed, or it has ended
 * and could not be renewed, so that the viewer must sign in again.
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
