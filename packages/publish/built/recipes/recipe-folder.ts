import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { BackgroundProcess } from '../../../../test/support/background-process.ts';
import { freePorts } from '../../../../test/support/free-ports.ts';
import { isReachable, type TestSystem } from '../../../../test/support/system.ts';
import { EXAMPLES } from '../examples.ts';
import { tarballOf } from '../installed-site.ts';
import VERSIONS from './frameworks.json' with { type: 'json' };

/** The secret of viewer tokens in every recipe. */
export const VIEWER_SECRET = 'the viewer secret of the recipes, long enough';

const SESSION_SECRET = 'the session secret of the recipes, long enough';

/**
 * A temporary folder in which npm has installed our server from its tarball, and frameworks in the
 * versions of `frameworks.json`, as in the project of someone who follows a recipe.
 */
export class RecipeFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'connect-recipe-'));

  constructor(frameworks: readonly (keyof typeof VERSIONS)[]) {
    this.write('package.json', JSON.stringify({ private: true, type: 'module' }));
    const packages = [
      ...(['contract', 'locales', 'server', 'donor-pages'] as const).map((name) => tarballOf(name)),
      ...frameworks.map((name) => `${name}@${VERSIONS[name]}`),
    ];
    const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    execFileSync('npm', ['install', ...options, ...packages], { cwd: this.path, stdio: 'pipe' });
  }

  /** Copies files of `packages/publish/examples` into the folder. */
  add(...files: string[]) {
    for (const file of files) this.addAs(file, basename(file));
  }

  /** Copies a file of `packages/publish/examples` to a path in the folder. */
  addAs(file: string, path: string) {
    mkdirSync(dirname(join(this.path, path)), { recursive: true });
    cpSync(join(EXAMPLES, file), join(this.path, path));
  }

  write(path: string, text: string) {
    mkdirSync(dirname(join(this.path, path)), { recursive: true });
    writeFileSync(join(this.path, path), text);
  }

  /** Runs a program to its end. @throws {Error} with its output if it fails */
  run(program: string, args: readonly string[]) {
    execFileSync(program, args, { cwd: this.path, stdio: 'pipe' });
  }

  /**
   * Starts an application of the recipes on a free port, until the end of the test.
   *
   * @param args may contain `PORT`
   * @returns the address of the application
   */
  async start(
    t: TestContext,
    system: TestSystem,
    program: string,
    args: readonly string[],
  ): Promise<string> {
    const [port] = (await freePorts(1)) as [number];
    const application = new BackgroundProcess(
      program,
      args.map((argument) => argument.replace('PORT', `${port}`)),
      {
        cwd: this.path,
        stopsGroup: true,
        env: {
          PORT: `${port}`,
          CONNECT_API_BASE: system.api_base,
          CONNECT_API_KEY: system.api_key,
          SESSION_SECRET,
          VIEWER_SECRET,
        },
      },
    );
    t.after(() => application.stop());
    const url = `http://localhost:${port}`;
    await application.waitUntil(() => isReachable(`${url}/connect/healthz`), `${url} responded`);
    return url;
  }

  /** Deletes the folder. */
  remove() {
    rmSync(this.path, { recursive: true });
  }
}
