import { ConnectDonations as Element } from '@connect-embed/elements/define/connect-donations.js';
import type {
  ConnectColumnsChangeEvent,
  ConnectFilterChangeEvent,
  ConnectLoadErrorEvent,
  ConnectLoadStartEvent,
  ConnectReadyEvent,
  ConnectRowClickEvent,
} from '@connect-embed/elements';
import { createComponent, type EventName } from '@lit/react';
import * as React from 'react';

// A server registers no elements. This adds the properties to the class there, too.
void Element.observedAttributes;

/** `<connect-donations>`: A read-only table of an organization's donations, newest first. It updates automatically. Made by `npm run manifest`. */
export const ConnectDonations = createComponent({
  react: React,
  tagName: 'connect-donations',
  displayName: 'ConnectDonations',
  elementClass: Element,
  events: {
    onConnectRowClick: 'connect-row-click' as EventName<ConnectRowClickEvent<'donation'>>,
    onConnectLoadStart: 'connect-load-start' as EventName<ConnectLoadStartEvent>,
    onConnectReady: 'connect-ready' as EventName<ConnectReadyEvent>,
    onConnectLoadError: 'connect-load-error' as EventName<ConnectLoadErrorEvent>,
    onConnectFilterChange: 'connect-filter-change' as EventName<ConnectFilterChangeEvent>,
    onConnectColumnsChange: 'connect-columns-change' as EventName<ConnectColumnsChangeEvent>,
  },
});
