import { FrameChannel } from './frame-channel.ts';
import { IntegrationError } from './mountable-element.ts';

/** Timeout for loading the frame, long enough for a slow network. */
const HELLO_TIMEOUT_MS = 20_000;

/** Space around the fields, in which their focus rings are drawn. */
const BLEED = '4px';

type Notify = (name: string, data: unknown) => void;

/** Creates and resizes the frame of the simulated card fields, and exchanges messages with it. */
export class PaymentFrame {
  readonly #base: string;
  readonly #settings: () => unknown;
  readonly #notify: Notify;
  #frame: HTMLIFrameElement | undefined;
  #channel: FrameChannel | undefined;
  #ready = createHandledDeferred();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(base: string, settings: () => unknown, notify: Notify) {
    this.#base = base;
    this.#settings = settings;
    this.#notify = notify;
  }

  attach(container: Element) {
    this.detach();
    this.#ready = createHandledDeferred();
    const token = crypto.randomUUID();
    const frame = createFrame('Secure payment input frame');
    frame.src = frameUrl(`${this.#base}/elements/payment`, token);
    this.#channel = new FrameChannel(
      () => frame.contentWindow,
      new URL(this.#base).origin,
      token,
      (name, data) => this.#receive(frame, name, data),
    );
    this.#frame = frame;
    this.#timer = setTimeout(() => this.#fail(), HELLO_TIMEOUT_MS);
    container.replaceChildren(frame);
  }

  detach() {
    clearTimeout(this.#timer);
    this.#channel?.close(unmountedError());
    this.#channel = undefined;
    this.#frame?.remove();
    this.#frame = undefined;
    this.#ready.reject(unmountedError());
  }

  /** Sends a message when the frame is ready. */
  post(name: string, data?: unknown) {
    if (!this.#frame) return;
    this.#ready.promise.then(
      () => this.#channel?.post(name, data),
      () => {},
    );
  }

  /** @throws {IntegrationError} if the fields are no longer on the page */
  async request(name: string, data?: unknown): Promise<unknown> {
    if (!this.#frame?.isConnected) throw unmountedError();
    await this.#ready.promise;
    if (!this.#channel) throw unmountedError();
    return this.#channel.request(name, data);
  }

  focus() {
    this.#frame?.focus();
    this.post('focus');
  }

  #receive(frame: HTMLIFrameElement, name: string, data: unknown) {
    switch (name) {
      case 'hello':
        clearTimeout(this.#timer);
        this.#channel?.post('setup', this.#settings());
        break;
      case 'size':
        frame.style.height = `${Number(data)}px`;
        break;
      case 'scheme':
        // If the color schemes differ, the browser paints an opaque background behind the frame.
        frame.style.colorScheme = data === 'dark' ? 'dark' : 'light';
        break;
      case 'enter':
        frame.closest('form')?.requestSubmit();
        break;
      default:
        if (name === 'ready') this.#ready.resolve();
        this.#notify(name, data);
    }
  }

  #fail() {
    const message = 'The card fields could not be loaded.';
    this.#notify('loaderror', { error: { type: 'api_connection_error', message } });
    this.#ready.reject(new IntegrationError(message));
  }
}

/** Creates a promise whose rejection may be unhandled, because often no call awaits it. */
function createHandledDeferred() {
  const deferred = Promise.withResolvers<void>();
  deferred.promise.catch(() => {});
  return deferred;
}

/** Sets styles through CSSOM, which a `style-src` policy of the page does not block. */
function createFrame(title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.allow = 'payment *';
  Object.assign(frame.style, {
    display: 'block',
    border: '0',
    margin: `-${BLEED}`,
    width: `calc(100% + 2 * ${BLEED})`,
    height: '1px',
    colorScheme: 'light',
    userSelect: 'none',
  });
  return frame;
}

/** The page's origin and the token are in the fragment, which is not sent to the server. */
export function frameUrl(page: string, token: string) {
  const url = new URL(page);
  url.hash = new URLSearchParams({ token, parent: window.origin }).toString();
  return url.href;
}

const unmountedError = () =>
  new IntegrationError(
    'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
  );
