import { ConnectProvider as Element } from '@connect-embed/elements/define/connect-provider.js';
import type { ConnectSessionEvent } from '@connect-embed/elements';
import { createComponent, type EventName } from '@lit/react';
import * as React from 'react';

// A server registers no elements. This adds the properties to the class there, too.
void Element.observedAttributes;

/** `<connect-provider>`: Gives all tables inside it one session, one language and one theme. Made by `npm run manifest`. */
export const ConnectProvider = createComponent({
  react: React,
  tagName: 'connect-provider',
  displayName: 'ConnectProvider',
  elementClass: Element,
  events: {
    onConnectSessionRefreshed: 'connect-session-refreshed' as EventName<ConnectSessionEvent>,
    onConnectSessionExpired: 'connect-session-expired' as EventName<ConnectSessionEvent>,
  },
});
