/** For tests that need a sandbox of their own; everything else speaks HTTP to it. */
export { readConfig, type Config } from './config.ts';
export { startSandbox, type Sandbox } from './start.ts';
