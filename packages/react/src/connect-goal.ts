import { ConnectGoal as Element } from '@connect-embed/elements/define/connect-goal.js';
import type { ConnectLoadErrorEvent, ConnectReadyEvent } from '@connect-embed/elements';
import { createComponent, type EventName } from '@lit/react';
import * as React from 'react';

// A server registers no elements. This adds the properties to the class there, too.
void Element.observedAttributes;

/** `<connect-goal>`: A progress meter: the sum that a campaign has raised, and its goal. Made by `npm run manifest`. */
export const ConnectGoal = createComponent({
  react: React,
  tagName: 'connect-goal',
  displayName: 'ConnectGoal',
  elementClass: Element,
  events: {
    onConnectReady: 'connect-ready' as EventName<ConnectReadyEvent>,
    onConnectLoadError: 'connect-load-error' as EventName<ConnectLoadErrorEvent>,
  },
});
