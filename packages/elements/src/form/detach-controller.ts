import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Removes a controller from an element that stays in the page. Like `addController`, which calls
 * `hostConnected`, and unlike `removeController`, this calls `hostDisconnected`.
 */
export function detachController(host: ReactiveControllerHost, controller: ReactiveController) {
  host.removeController(controller);
  controller.hostDisconnected?.();
}
