import type { HostCase, Place } from '../host-case.ts';
import { FORM } from '../host-case.ts';

/** Pages whose owners allow what they named, and nothing else. */

const reach = ({ server, sandbox, api_base }: Place) => [
  "default-src 'none'",
  "base-uri 'none'",
  `connect-src ${server} ${new URL(api_base).origin} ${sandbox}`,
  `frame-src ${sandbox}`,
];

const tag = ({ server, nonce }: Place) =>
  `<script nonce="${nonce}" type="module" src="${server}/connect.js"></script>`;

export const policies: HostCase[] = [
  {
    name: 'a strict policy with nonces',
    page: (place) => ({
      policy: [
        ...reach(place),
        `script-src 'nonce-${place.nonce}' 'strict-dynamic'`,
        `style-src 'nonce-${place.nonce}'`,
      ].join('; '),
      body: tag(place) + FORM,
    }),
  },
  {
    name: 'a classic script under a strict policy with nonces',
    page: (place) => ({
      policy: [
        ...reach(place),
        `script-src 'nonce-${place.nonce}' 'strict-dynamic'`,
        `style-src 'nonce-${place.nonce}'`,
      ].join('; '),
      body: tag(place).replace('type="module"', 'async') + FORM,
    }),
  },
  {
    name: 'Trusted Types',
    page: (place) => ({
      policy: [
        ...reach(place),
        `script-src ${place.server} ${place.sandbox}`,
        "style-src 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types lit-html connect',
      ].join('; '),
      body: place.script + FORM,
    }),
  },
];
