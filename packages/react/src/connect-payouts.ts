import { ConnectPayouts as Element } from '@connect-embed/elements/define/connect-payouts.js';
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

/** `<connect-payouts>`: A read-only table of an organization's bank payouts, newest first. It updates automatically. Made by `npm run manifest`. */
export const ConnectPayouts = createComponent({
  react: React,
  tagName: 'connect-payouts',
  displayName: 'ConnectPayouts',
  elementClass: Element,
  events: {
    onConnectRowClick: 'connect-row-click' as EventName<ConnectRowClickEvent<'payout'>>,
    onConnectLoadStart: 'connect-load-start' as EventName<ConnectLoadStartEvent>,
    onConnectReady: 'connect-ready' as EventName<ConnectReadyEvent>,
    onConnectLoadError: 'connect-load-error' as EventName<ConnectLoadErrorEvent>,
    onConnectFilterChange: 'connect-filter-change' as EventName<ConnectFilterChangeEvent>,
    onConnectColumnsChange: 'connect-columns-change' as EventName<ConnectColumnsChangeEvent>,
  },
});
