import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BackgroundProcess } from '../../support/background-process.ts';
import { isReachable } from '../../support/system.ts';
import { findProgram } from '../../support/find-program.ts';
import { WORDPRESS_FOLDER } from './requirements.ts';

const run = promisify(execFile);

export interface WordPress {
  url: string;
  /** Folder of the installation. */
  folder: string;
  /** File with the errors and warnings of PHP. */
  debugLog: string;
  /** Folder names of the installed default themes. */
  themes: string[];
}

/** Who works in the WordPress; the password is the same for all. */
export const PASSWORD = 'correct horse battery staple';

/**
 * Installs WordPress from its Debian package in a folder, and serves it on loopback.
 *
 * Editors have no `unfiltered_html`, as on networks and on sites with DISALLOW_UNFILTERED_HTML. WordPress
 * sends requests to this computer only.
 */
export async function startWordPress(folder: string, port: number, socket: string) {
  const root = join(folder, 'wordpress');
  // Some links of the package lead to optional packages that are not installed.
  const filter = (source: string) => existsSync(source) && !source.endsWith('/wp-config.php');
  await cp(WORDPRESS_FOLDER, root, { recursive: true, dereference: true, filter });
  await mkdir(join(root, 'wp-content/plugins'), { recursive: true });
  const url = `http://localhost:${port}`;
  const debugLog = join(folder, 'debug.log');
  await writeFile(join(root, 'wp-config.php'), configuration(socket, url, debugLog));
  const php = findProgram('php')!;
  await run(php, [join(import.meta.dirname, 'install.php'), root, PASSWORD]);
  // Several workers, because WordPress also sends requests to itself.
  const server = new BackgroundProcess(php, ['-S', `127.0.0.1:${port}`, '-t', root], {
    env: { PHP_CLI_SERVER_WORKERS: '4' },
    stopsGroup: true,
  });
  await server.waitUntil(() => isReachable(url), 'WordPress responded');
  const themes = await readdir(join(root, 'wp-content/themes'));
  return {
    url,
    folder: root,
    debugLog,
    themes: themes.filter((name) => name.startsWith('twenty')).sort(),
    stop: () => server.stop(),
  };
}

const configuration = (socket: string, url: string, log: string) => `<?php
define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', 'localhost:${socket}' );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'WP_HOME', '${url}' );
define( 'WP_SITEURL', '${url}' );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'DISABLE_WP_CRON', true );
define( 'FS_METHOD', 'direct' );
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_DISPLAY', false );
define( 'WP_DEBUG_LOG', '${log}' );
define( 'AUTH_KEY', 'test' );
$table_prefix = 'wp_';
require_once __DIR__ . '/wp-settings.php';
`;
