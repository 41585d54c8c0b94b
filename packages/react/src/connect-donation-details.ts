import { ConnectDonationDetails as Element } from '@connect-embed/elements/define/connect-donation-details.js';
import type {
  ConnectLoadErrorEvent,
  ConnectLoadStartEvent,
  ConnectReadyEvent,
} from '@connect-embed/elements';
import { createComponent, type EventName } from '@lit/react';
import * as React from 'react';

// A server registers no elements. This adds the properties to the class there, too.
void Element.observedAttributes;

/** `<connect-donation-details>`: The details of one donation: amounts, refund and dispute status, donor, fund and campaign. Made by `npm run manifest`. */
export const ConnectDonationDetails = createComponent({
  react: React,
  tagName: 'connect-donation-details',
  displayName: 'ConnectDonationDetails',
  elementClass: Element,
  events: {
    onConnectLoadStart: 'connect-load-start' as EventName<ConnectLoadStartEvent>,
    onConnectReady: 'connect-ready' as EventName<ConnectReadyEvent>,
    onConnectLoadError: 'connect-load-error' as EventName<ConnectLoadErrorEvent>,
  },
});
