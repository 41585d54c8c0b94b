/** Base class of the elements' events: they bubble and cross shadow root boundaries (`composed`). */
export abstract class ConnectEvent extends Event {
  constructor(type: string, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
  }
}

/** Dispatched when an element starts to load its data. */
export class ConnectLoadStartEvent extends ConnectEvent {
  constructor() {
    super('connect-load-start');
  }
}

/** Dispatched when an element is drawn and can be used. */
export class ConnectReadyEvent extends ConnectEvent {
  constructor() {
    super('connect-ready');
  }
}

/** Dispatched when an element could not load its data. */
export class ConnectLoadErrorEvent extends ConnectEvent {
  readonly error: unknown;
  constructor(error: unknown) {
    super('connect-load-error');
    this.error = error;
  }
}

declare global {
  interface HTMLElementEventMap {
    'connect-load-start': ConnectLoadStartEvent;
    'connect-ready': ConnectReadyEvent;
    'connect-load-error': ConnectLoadErrorEvent;
  }
}
