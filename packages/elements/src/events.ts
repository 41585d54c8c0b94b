/** Every event of an element leaves its shadow root and bubbles up the page. */
export abstract class ConnectEvent extends Event {
  constructor(type: string, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
  }
}

/** The element has begun to fetch what it draws. */
export class ConnectLoadStartEvent extends ConnectEvent {
  constructor() {
    super('connect-loaderstart');
  }
}

/** The element is drawn and can be used. */
export class ConnectReadyEvent extends ConnectEvent {
  constructor() {
    super('connect-ready');
  }
}

/** The element could not fetch what it draws; it shows so and offers to try again. */
export class ConnectLoadErrorEvent extends ConnectEvent {
  readonly error: unknown;
  constructor(error: unknown) {
    super('connect-loaderror');
    this.error = error;
  }
}

declare global {
  interface HTMLElementEventMap {
    'connect-loaderstart': ConnectLoadStartEvent;
    'connect-ready': ConnectReadyEvent;
    'connect-loaderror': ConnectLoadErrorEvent;
  }
}
