import type { HostCase } from './host-case.ts';
import { frameworks } from './pages/frameworks.ts';
import { places } from './pages/places.ts';
import { policies } from './pages/policies.ts';
import { scripts } from './pages/scripts.ts';
import { styles } from './pages/styles.ts';
import { swaps } from './pages/swaps.ts';

/** Every kind of page on which a gift must be possible. */
export const CASES: readonly HostCase[] = [
  ...policies,
  ...styles,
  ...scripts,
  ...places,
  ...frameworks,
  ...swaps,
];
