import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from './pages.ts';

/** Writes the page in the playground's frame, and the built elements for its sample data. */
export async function buildPreview(publicFolder: string): Promise<void> {
  cpSync(join(ROOT, 'packages/elements/dist'), join(publicFolder, 'elements'), { recursive: true });
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    // The component tests' fixtures without Chai, as in the workshop.
    resolve: { alias: { '@open-wc/testing': '@open-wc/testing-helpers/pure' } },
    build: {
      outDir: join(publicFolder, 'preview'),
      emptyOutDir: false,
      target: 'es2022',
      lib: { entry: join(import.meta.dirname, 'preview/preview.ts'), formats: ['es'] },
      rolldownOptions: {
        output: { entryFileNames: 'preview.js', chunkFileNames: '[name]-[hash].js', minify: true },
      },
    },
  });
}
