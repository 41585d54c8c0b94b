/** Somebody else's checks, in one file that only their donors fetch. */
export { isProvider } from './check-provider.ts';
export { HumanCheck } from './human-check.ts';
