import { ConnectDonors as Element } from '@connect-embed/elements/define/connect-donors.js';
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

/** `<connect-donors>`: A read-only table of an organization's donors, newest first. It updates automatically. Made by `npm run manifest`. */
export const ConnectDonors = createComponent({
  react: React,
  tagName: 'connect-donors',
  displayName: 'ConnectDonors',
  elementClass: Element,
  events: {
    onConnectRowClick: 'connect-row-click' as EventName<ConnectRowClickEvent<'donor'>>,
    onConnectLoadStart: 'connect-load-start' as EventName<ConnectLoadStartEvent>,
    onConnectReady: 'connect-ready' as EventName<ConnectReadyEvent>,
    onConnectLoadError: 'connect-load-error' as EventName<ConnectLoadErrorEvent>,
    onConnectFilterChange: 'connect-filter-change' as EventName<ConnectFilterChangeEvent>,
    onConnectColumnsChange: 'connect-columns-change' as EventName<ConnectColumnsChangeEvent>,
  },
});
