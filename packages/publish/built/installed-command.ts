import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tarballOf } from './installed-site.ts';

const TIMEOUT_MS = 150_000;

/** The command, installed with npm from the tarballs into an empty folder, and run with an older Node. */
export class InstalledCommand {
  readonly folder = mkdtempSync(join(tmpdir(), 'connect-command-'));
  readonly #home = join(this.folder, 'home');
  readonly #env: NodeJS.ProcessEnv;

  /** @param packages the folder with the packages of a release; by default those of this one */
  constructor(packages?: string) {
    chmodSync(this.folder, 0o711); // PostgreSQL may run as another user.
    mkdirSync(this.#home);
    const npmCache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
    this.#env = {
      PATH: `${dirname(findOlderNode())}${delimiter}${process.env['PATH']}`,
      HOME: this.#home,
      NO_COLOR: '1',
      npm_config_cache: npmCache,
      npm_config_userconfig: join(homedir(), '.npmrc'),
      npm_config_prefer_offline: 'true',
    };
    writeFileSync(join(this.folder, 'package.json'), '{"private":true}');
    const tarballs = (['client', 'command', 'contract', 'locales', 'server'] as const).map((name) =>
      tarballOf(name, packages),
    );
    execFileSync('npm', ['install', '--no-audit', '--no-fund', ...tarballs], {
      cwd: this.folder,
      env: this.#env,
    });
  }

  /** Runs the command to its end. */
  async run(args: string[], env: NodeJS.ProcessEnv = {}) {
    const { ended, output } = this.start(args, env);
    return { code: await ended, output: output() };
  }

  /** Starts the command, and collects its output. */
  start(args: string[], env: NodeJS.ProcessEnv = {}) {
    const child = spawn(join(this.folder, 'node_modules/.bin/connect-embed'), args, {
      cwd: this.folder,
      env: { ...this.#env, ...env },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    }
    const ended = once(child, 'close').then(([code]) => code as number | null);
    /** Waits for a text in the output, and returns its first group. */
    const print = async (pattern: RegExp): Promise<string> => {
      for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(50)) {
        const found = pattern.exec(text);
        if (found) return found[1] ?? '';
        if (child.exitCode !== null) break;
      }
      throw new Error(`The command did not print ${pattern}:\n${text}`);
    };
    const stop = () => {
      child.kill('SIGTERM');
      return ended;
    };
    return { ended, output: () => text, print, stop };
  }

  /** Deletes the folder. */
  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Finds a Node on the machine that is older than the one of the tests; theirs if there is none. */
function findOlderNode(): string {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const program = join(folder, 'node');
    try {
      const version = execFileSync(program, ['--version'], { encoding: 'utf8' });
      if (version.startsWith('v20.')) return program;
    } catch {
      // No Node there.
    }
  }
  return process.execPath;
}
