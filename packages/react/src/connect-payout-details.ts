import { ConnectPayoutDetails as Element } from '@connect-embed/elements/define/connect-payout-details.js';
import type {
  ConnectLoadErrorEvent,
  ConnectLoadStartEvent,
  ConnectReadyEvent,
} from '@connect-embed/elements';
import { createComponent, type EventName } from '@lit/react';
import * as React from 'react';

// A server registers no elements. This adds the properties to the class there, too.
void Element.observedAttributes;

/** `<connect-payout-details>`: The details of one payout to the bank account, with its transactions: donations, refunds, disputes, fees and others. Made by `npm run manifest`. */
export const ConnectPayoutDetails = createComponent({
  react: React,
  tagName: 'connect-payout-details',
  displayName: 'ConnectPayoutDetails',
  elementClass: Element,
  events: {
    onConnectLoadStart: 'connect-load-start' as EventName<ConnectLoadStartEvent>,
    onConnectReady: 'connect-ready' as EventName<ConnectReadyEvent>,
    onConnectLoadError: 'connect-load-error' as EventName<ConnectLoadErrorEvent>,
  },
});
