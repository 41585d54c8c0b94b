/**
 * `npm run test:container`: builds `deploy/Dockerfile`, starts `deploy/compose.yaml`, and takes a donation. It is
 * not part of `npm test`, because it needs root, Debian packages and several minutes.
 */
import { spawn } from 'node:child_process';
import { exitOnHelpOption } from '../support/help-option.ts';
import { findProgram } from '../support/find-program.ts';

/** Exit code if packages are missing, so that a caller can tell it from a failed test. */
const MISSING_EXIT_CODE = 3;

/** A program of each Debian package. */
const PACKAGES: Readonly<Record<string, string>> = {
  buildah: 'buildah',
  podman: 'podman',
  'podman-compose': 'podman-compose',
  runc: 'runc',
  mmdebstrap: 'mmdebstrap',
  iptables: 'iptables',
  netavark: '../lib/podman/netavark',
  'aardvark-dns': '../lib/podman/aardvark-dns',
};

exitOnHelpOption(
  'Tests the image and the compose file in containers, as root. Options are passed to Playwright.',
);
const missing = Object.keys(PACKAGES).filter((name) => !findProgram(PACKAGES[name]!));
if (missing.length > 0 || process.getuid?.() !== 0) {
  console.error('The test of the image was not run. It needs root and these Debian packages:\n');
  console.error(`  apt-get install --no-install-recommends ${Object.keys(PACKAGES).join(' ')}`);
  process.exit(MISSING_EXIT_CODE);
}

const child = spawn(
  process.execPath,
  [
    'test/support/with-browser.ts',
    '--',
    ...['playwright', 'test', '-c', 'test/container/playwright.config.ts'],
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
