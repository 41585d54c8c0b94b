#!/usr/bin/env node
// Loads the command only in a Node that can run it. Older ones cannot even parse its files.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 20 || (major === 20 && minor >= 19)) {
  import('../packages/cli/src/main.js');
} else {
  console.error(`connect-embed needs Node 20.19 or newer. This is ${process.version}.`);
  process.exitCode = 1;
}
