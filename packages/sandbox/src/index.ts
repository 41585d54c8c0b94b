/** For tests that start their own sandbox; all other code uses the sandbox over HTTP. */
export { readConfig, type Config } from './config.ts';
export { startSandbox, type Sandbox } from './start.ts';
