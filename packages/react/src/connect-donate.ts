import { ConnectDonate as Element } from '@connect-embed/elements/define/connect-donate.js';
import type {
  ConnectChangeEvent,
  ConnectCloseEvent,
  ConnectConfirmEvent,
  ConnectErrorEvent,
  ConnectLoadErrorEvent,
  ConnectLoadStartEvent,
  ConnectOpenEvent,
  ConnectReadyEvent,
  ConnectSuccessEvent,
} from '@connect-embed/elements';
import { createComponent, type EventName } from '@lit/react';
import * as React from 'react';

// A server registers no elements. This adds the properties to the class there, too.
void Element.observedAttributes;

/** `<connect-donate>`: A donation form, from the choice of the amount to the thank-you page. Made by `npm run manifest`. */
export const ConnectDonate = createComponent({
  react: React,
  tagName: 'connect-donate',
  displayName: 'ConnectDonate',
  elementClass: Element,
  events: {
    onConnectLoadStart: 'connect-load-start' as EventName<ConnectLoadStartEvent>,
    onConnectReady: 'connect-ready' as EventName<ConnectReadyEvent>,
    onConnectLoadError: 'connect-load-error' as EventName<ConnectLoadErrorEvent>,
    onConnectChange: 'connect-change' as EventName<ConnectChangeEvent>,
    onConnectConfirm: 'connect-confirm' as EventName<ConnectConfirmEvent>,
    onConnectSuccess: 'connect-success' as EventName<ConnectSuccessEvent>,
    onConnectError: 'connect-error' as EventName<ConnectErrorEvent>,
    onConnectOpen: 'connect-open' as EventName<ConnectOpenEvent>,
    onConnectClose: 'connect-close' as EventName<ConnectCloseEvent>,
  },
});
