import { execFile } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandDependencies, completeCommand } from './command-package.ts';
import { completeElements } from './elements-package.ts';
import { completeLocales } from './locales-package.ts';
import { writePackageJson, type PublishedPackage } from './metadata.ts';
import { completeReact } from './react-package.ts';
import { completeGivingPages, givingPageDependencies } from './giving-pages-package.ts';
import { completeServer } from './server-package.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

/** Output folder of the packages. */
export const OUT = join(ROOT, 'dist/packages');

const moduleExport = (path: string) => ({ types: `./${path}.d.ts`, default: `./${path}.js` });

/** The packages by the name of their folder in `dist/packages`, each after those that it depends on. */
const PUBLISHED = {
  contract: {
    source: 'packages/contract',
    readme: 'contract.md',
    keywords: ['zod', 'schema'],
  },
  locales: {
    source: 'packages/locales',
    readme: 'locales.md',
    keywords: ['i18n', 'translations'],
    exports: { '.': moduleExport('translator') },
    complete: completeLocales,
  },
  client: {
    source: 'packages/client',
    readme: 'client.md',
    keywords: ['api-client', 'webhooks'],
    exports: { '.': moduleExport('index'), './webhooks': moduleExport('webhooks') },
  },
  elements: {
    source: 'packages/elements',
    readme: 'elements.md',
    keywords: ['web-components', 'custom-elements', 'donation-form'],
    suffix: '.js',
    // Within the workspace every module may have side effects.
    fields: {
      customElements: 'custom-elements.json',
      sideEffects: ['./define.js', './define/*.js'],
    },
    complete: completeElements,
  },
  react: {
    source: 'packages/react',
    readme: 'react.md',
    keywords: ['react', 'donation-form'],
    suffix: '.js',
    complete: completeReact,
  },
  server: {
    source: 'server',
    readme: 'server.md',
    keywords: ['bff', 'hono', 'stripe', 'donation-form'],
    fields: { sideEffects: false },
    exports: {
      '.': moduleExport('index'),
      './node': moduleExport('node'),
      './pages': moduleExport('pages'),
      './scripts': moduleExport('scripts'),
    },
    complete: completeServer,
  },
  'donor-pages': {
    source: 'packages/donor-pages',
    readme: 'donor-pages.md',
    keywords: ['hono', 'donation-page'],
    // The other pages of this workspace are a part of the API's process, and not published as modules.
    fields: { sideEffects: false, dependencies: givingPageDependencies() },
    exports: {
      './giving-page': moduleExport('giving-page/index'),
      './giving-page/node': moduleExport('giving-page/node'),
    },
    complete: completeGivingPages,
  },
  command: {
    source: 'packages/cli',
    readme: 'command.md',
    keywords: ['cli', 'stripe', 'self-hosted', 'donation-form'],
    exports: {},
    fields: {
      bin: { 'connect-embed': './bin/connect-embed.js' },
      dependencies: commandDependencies(),
    },
    complete: completeCommand,
  },
} satisfies Record<string, PublishedPackage>;

export type PackageName = keyof typeof PUBLISHED;
export const PACKAGES = Object.keys(PUBLISHED) as PackageName[];
/** The packages whose modules are imported. */
export const LIBRARIES = PACKAGES.filter((name) => name !== 'command');

/** Builds every package into its folder below `dist/packages`, and its tarball. */
export async function buildPackages(): Promise<void> {
  rmSync(OUT, { recursive: true, force: true });
  for (const name of PACKAGES) {
    const folder = join(OUT, name);
    const published: PublishedPackage = PUBLISHED[name];
    await compile(name);
    await published.complete?.(folder);
    rewriteDeclarationImports(folder);
    writePackageJson(published, folder);
    await run('npm', ['pack', '--pack-destination', OUT], { cwd: folder });
  }
}

/** @throws {Error} with the messages of the compiler */
async function compile(name: PackageName): Promise<void> {
  const args = ['node_modules/typescript7/bin/tsc', '-p', `packages/publish/tsconfig.${name}.json`];
  await run('node', args, { cwd: ROOT }).catch((cause: { stdout: string }) => {
    throw new Error(`${name} could not be compiled.\n${cause.stdout}`, { cause });
  });
}

/**
 * Replaces `.ts` in the imports of declaration files, which the compiler leaves there; the package
 * has no `.ts` files.
 */
function rewriteDeclarationImports(folder: string) {
  for (const file of globSync('**/*.d.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    const named = text.replace(/((?:from|import) ?\(?'\.[^']+)(?<!\.d)\.ts'/g, "$1.js'");
    writeFileSync(join(folder, file), named);
  }
}
