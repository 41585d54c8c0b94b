import type { ReactiveControllerHost } from 'lit';

/** Listens to an event of the window while an element is in the page. */
export const listenToWindow = (
  host: ReactiveControllerHost,
  type: 'online' | 'resize',
  listener: () => void,
) =>
  host.addController({
    hostConnected() {
      addEventListener(type, listener);
    },
    hostDisconnected() {
      removeEventListener(type, listener);
    },
  });
