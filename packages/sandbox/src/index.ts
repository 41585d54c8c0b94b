/**
 * The local stand-in for Stripe, for tests that start their own; all other code uses it over HTTP.
 */
export { readConfig, type Config } from './config.ts';
export { startSandbox, type Sandbox } from './start.ts';
