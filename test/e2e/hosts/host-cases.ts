import type { HostCase } from './host-case.ts';
import { frameworks } from './pages/frameworks.ts';
import { placements } from './pages/placements.ts';
import { policies } from './pages/policies.ts';
import { scripts } from './pages/scripts.ts';
import { styles } from './pages/styles.ts';
import { pageSwaps } from './pages/page-swaps.ts';

/** Every kind of page on which the form must work. */
export const CASES: readonly HostCase[] = [
  ...policies,
  ...styles,
  ...scripts,
  ...placements,
  ...frameworks,
  ...pageSwaps,
];

/**
 * Names of the cases in which the donation is completed, with the risk that only appears after the
 * card was entered. In all others the test ends when the card is entered: what follows does not
 * depend on them.
 */
export const COMPLETED_DONATIONS: Readonly<Record<string, string>> = {
  'Trusted Types':
    'A strict policy can block requests, scripts and markup of the payment and the thank-you view.',
  'a style sheet that resets everything': 'The thank-you view has other elements than the form.',
  'polluted built-ins': 'Replaced `toJSON` and `bind` can change the submitted donation.',
  'inside nested shadow roots of an element that is defined late':
    'Stripe looks the card form up in the document when it confirms the payment.',
  'inside React 19': 'The page renders the form again on its events, also on that of success.',
  'pages that Turbo swaps': 'A form from the page cache exists twice, and one has no card form.',
  'removed and added again while a donation is processed':
    'The outcome arrives at a form that was taken apart in the meantime.',
  'two forms on one page': 'A donation must use the card, fields and state of its own form.',
};
