import { join } from 'node:path';
import { BackgroundProcess } from './background-process.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A service of this repository as a child process. */
export class ServiceProcess extends BackgroundProcess {
  /**
   * @param file TypeScript file, relative to the root of the repository
   */
  constructor(file: string, env: NodeJS.ProcessEnv, args: readonly string[] = []) {
    super(process.execPath, [file, ...args], { cwd: ROOT, env });
  }
}
