import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../support/find-program.ts';

/** WordPress as its Debian package installs it. */
export const WORDPRESS_FOLDER = '/usr/share/wordpress';

/** Each Debian package with a check that it is installed. */
const PACKAGES: Readonly<Record<string, () => boolean>> = {
  wordpress: () => existsSync(join(WORDPRESS_FOLDER, 'wp-load.php')),
  'wordpress-theme-twentytwentythree': () => hasTheme('twentytwentythree'),
  'wordpress-theme-twentytwentyone': () => hasTheme('twentytwentyone'),
  'php-cli': () => findProgram('php') !== undefined,
  'php-mysql': () => hasPhpModule('mysqli'),
  'mariadb-server': () => findProgram('mariadbd') !== undefined,
};

const hasTheme = (name: string) =>
  existsSync(join(WORDPRESS_FOLDER, 'wp-content/themes', name, 'style.css'));

function hasPhpModule(name: string): boolean {
  const php = findProgram('php');
  return php !== undefined && spawnSync(php, ['-m'], { encoding: 'utf8' }).stdout.includes(name);
}

/** Returns the Debian packages that are not installed. */
export const findMissing = (): string[] =>
  Object.entries(PACKAGES)
    .filter(([, isInstalled]) => !isInstalled())
    .map(([name]) => name);

/** Says what is missing and how to install it. */
export const describeMissing = (missing: readonly string[]): string =>
  [
    'The test of the WordPress plugin was not run, because Debian packages are missing.',
    'Install them, without services that start at boot:',
    '',
    `  apt-get install --no-install-recommends ${missing.join(' ')}`,
  ].join('\n');
