import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { minifyTemplates } from '../../vite.plugins.ts';

/** Minifies the templates of the elements as the build does, so that the tests run with the same HTML and CSS. */
const minifiedTemplates = {
  name: 'minified-templates',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/elements\/src\/.*\.ts$/ }, async ({ path }) => {
      if (path.endsWith('.test.ts') || path.includes('/test-support/')) return undefined;
      const source = readFileSync(path, 'utf8');
      return { contents: (await minifyTemplates(source, path)) ?? source, loader: 'ts' };
    }),
};

/**
 * Bundles every test file with all its modules into one script, and returns a middleware that serves
 * it in place of the test file. Each test file has its own page without a cache, which would otherwise
 * load some 180 modules.
 *
 * A bundle has the URL of its test file, so that addresses relative to `import.meta.url` stay correct.
 *
 * @param {string} root folder that the server serves
 */
export async function bundleTests(root) {
  const { outputFiles } = await build({
    entryPoints: globSync(join(import.meta.dirname, 'src/**/*.test.ts')),
    outbase: root,
    outdir: root,
    bundle: true,
    plugins: [minifiedTemplates],
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['browser', 'production'],
    // Loaded from the server when a test needs them.
    external: ['/__web-*', '/node_modules/axe-core/*', '../../../locales/*'],
    define: { require: 'undefined' }, // As in a browser: packages test for it.
    alias: { 'axe-core/axe.min.js': '/node_modules/axe-core/axe.min.js' },
    sourcemap: 'linked',
    sourcesContent: false,
  });
  const files = new Map(
    outputFiles.map(({ path, text }) => {
      return [`/${relative(root, path).replace(/\.test\.js$/, '.test.ts')}`, text];
    }),
  );
  return (context, next) => {
    const text = files.get(context.path);
    if (text === undefined) return next();
    context.type = context.path.endsWith('.map') ? 'json' : 'js';
    context.body = text;
  };
}
