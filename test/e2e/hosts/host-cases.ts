import type { HostCase } from './host-case.ts';
import { frameworks } from './pages/frameworks.ts';
import { placements } from './pages/placements.ts';
import { policies } from './pages/policies.ts';
import { scripts } from './pages/scripts.ts';
import { styles } from './pages/styles.ts';
import { pageSwaps } from './pages/page-swaps.ts';

/** Every kind of page on which a donation must succeed. */
export const CASES: readonly HostCase[] = [
  ...policies,
  ...styles,
  ...scripts,
  ...placements,
  ...frameworks,
  ...pageSwaps,
];
