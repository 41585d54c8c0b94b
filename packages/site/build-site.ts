import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';
import { buildPreview } from './build-preview.ts';
import { writeMarkdown } from './llms.ts';
import { readPages, ROOT, writePages } from './pages.ts';
import { writeReference } from './write-reference.ts';

/**
 * Builds the site as static files, which work below any path: docs/decisions/0104-docs-site.md
 *
 * @param out absolute path of the folder, which is replaced
 */
export async function buildSite(out: string): Promise<void> {
  // The pages import Vue, which is found only below the repository.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const source = mkdtempSync(join(cache, 'docs-site-'));
  try {
    const pages = readPages();
    writePages(pages, source);
    cpSync(join(import.meta.dirname, 'public'), join(source, 'public'), { recursive: true });
    await buildPreview(join(source, 'public'));
    linkSettings(source);
    writeReference(join(source, 'public/reference'));
    await build(source, { outDir: out });
    writeMarkdown(pages, out);
  } finally {
    rmSync(source, { recursive: true });
  }
}

/** VitePress reads its configuration and its theme from a folder beside the pages. */
function linkSettings(source: string) {
  const folder = join(source, '.vitepress');
  mkdirSync(join(folder, 'theme'), { recursive: true });
  const linkTo = (file: string) =>
    `export { default } from '${join(import.meta.dirname, file)}';\n`;
  writeFileSync(join(folder, 'config.js'), linkTo('config.ts'));
  writeFileSync(join(folder, 'theme/index.js'), linkTo('theme/index.ts'));
}
