import type { HostCase, HostContext } from '../host-case.ts';
import { FORM } from '../host-case.ts';

/** Pages with a strict content security policy. */

const baseDirectives = ({ server, sandbox, api_base }: HostContext) => [
  "default-src 'none'",
  "base-uri 'none'",
  `connect-src ${server} ${new URL(api_base).origin} ${sandbox}`,
  `frame-src ${sandbox}`,
  "img-src 'self'", // Firefox reports an icon of the site that it may not load.
];

const scriptTag = ({ server, nonce }: HostContext) =>
  `<script nonce="${nonce}" type="module" src="${server}/connect.js"></script>`;

export const policies: HostCase[] = [
  {
    name: 'a strict policy with nonces',
    page: (context) => ({
      policy: [
        ...baseDirectives(context),
        `script-src 'nonce-${context.nonce}' 'strict-dynamic'`,
        `style-src 'nonce-${context.nonce}'`,
      ].join('; '),
      body: scriptTag(context) + FORM,
    }),
  },
  {
    name: 'a classic script under a strict policy with nonces',
    page: (context) => ({
      policy: [
        ...baseDirectives(context),
        `script-src 'nonce-${context.nonce}' 'strict-dynamic'`,
        `style-src 'nonce-${context.nonce}'`,
      ].join('; '),
      body: scriptTag(context).replace('type="module"', 'async') + FORM,
    }),
  },
  {
    name: 'Trusted Types',
    page: (context) => ({
      policy: [
        ...baseDirectives(context),
        `script-src ${context.server} ${context.sandbox}`,
        "style-src 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types connect lit-html',
      ].join('; '),
      body: context.script + FORM,
    }),
  },
  {
    name: 'Trusted Types on a page with a Lit of its own',
    page: (context) => ({
      policy: [
        ...baseDirectives(context),
        `script-src ${context.server} ${context.sandbox} 'nonce-${context.nonce}'`,
        "style-src 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types connect lit-html 'allow-duplicates'",
      ].join('; '),
      // What the Lit of the page does before ours is loaded.
      body: `<script nonce="${context.nonce}">trustedTypes.createPolicy('lit-html', {})</script>${context.script}${FORM}`,
    }),
  },
];
