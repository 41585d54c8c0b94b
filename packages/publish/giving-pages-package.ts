import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { readPackageJson } from './workspace.ts';

const ROOT = join(import.meta.dirname, '../..');
const WORKSPACE = 'packages/donor-pages';

/** What giving pages import. */
const DEPENDENCIES = [
  '@connect-embed/contract',
  '@connect-embed/locales',
  '@connect-embed/server',
  'hono',
  'sharp',
];

/** Returns the dependencies of giving pages, without those of the other pages in their workspace. */
export function givingPageDependencies(): Record<string, string> {
  const { dependencies = {} } = readPackageJson(WORKSPACE);
  return Object.fromEntries(DEPENDENCIES.map((name) => [name, dependencies[name]!]));
}

/** Adds the fonts of images. */
export function completeGivingPages(folder: string): void {
  const fonts = 'giving-page/fonts';
  cpSync(join(ROOT, WORKSPACE, 'src', fonts), join(folder, fonts), { recursive: true });
}
