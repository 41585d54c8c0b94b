import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pagePath, rewriteLinks } from './links.ts';

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, '../..');
const DOCS = join(ROOT, 'docs');
/** Pages that only the site has: the front page and the playground. */
const CONTENT = join(import.meta.dirname, 'content');

/** A page of the site as Markdown. */
export interface Page {
  /** Path without `.md`, such as `api/index`. */
  path: string;
  title: string;
  /** The first sentence below the title; empty if the page begins with something else. */
  description: string;
  markdown: string;
}

/** Reads all pages: the files of `docs/`, the pages of the site, and the changelog if there is one. */
export function readPages(): Page[] {
  const changelog = existsSync(join(ROOT, 'CHANGELOG.md')) ? ['../CHANGELOG.md'] : [];
  const docs = [...globSync('**/*.md', { cwd: DOCS }).sort(), ...changelog].map((file) =>
    toPage(pagePath(file)!, rewriteLinks(readFileSync(join(DOCS, file), 'utf8'), file)),
  );
  const own = globSync('*.md', { cwd: CONTENT }).map((file) =>
    toPage(file, readFileSync(join(CONTENT, file), 'utf8')),
  );
  return [...own, ...docs];
}

/** Writes the pages and the images of `docs/` into the folder from which VitePress reads. */
export function writePages(pages: readonly Page[], folder: string): void {
  for (const { path, markdown } of pages) {
    const file = join(folder, `${path}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, showSchemePictures(markdown));
  }
  for (const file of globSync('**/*.{png,webp,svg}', { cwd: DOCS }))
    cpSync(join(DOCS, file), join(folder, file));
}

/**
 * Replaces each picture that depends on the visitor's system by an image for each color scheme, because
 * the site has its own switch. VitePress resolves paths that begin with a dot only.
 */
const showSchemePictures = (markdown: string) =>
  markdown.replace(
    /<picture>\s*<source media="[^"]*dark[^"]*" srcset="([^"]+)">\s*<img src="([^"]+)" ([^>]*)>\s*<\/picture>/g,
    (_, dark: string, light: string, rest: string) =>
      `<img class="light-only" src="./${light}" ${rest}><img class="dark-only" src="./${dark}" ${rest}>`,
  );

function toPage(file: string, markdown: string): Page {
  const [, title = file] = /^# (.+)$/m.exec(markdown) ?? [];
  return {
    path: file.replace(/\.md$/, ''),
    title: title.replaceAll('`', ''),
    description: describe(markdown),
    markdown,
  };
}

/** Returns the first sentence of a page's first paragraph, as plain text. */
function describe(markdown: string): string {
  const [, frontMatter] = /^description: (.+)$/m.exec(markdown) ?? [];
  if (frontMatter) return frontMatter;
  const [, paragraph = ''] =
    /^# .+\n\n(?:Status: .+\n\n)?(?:## .+\n\n)?((?!```)[^#|<!\-\n][^]*?)\n\n/m.exec(markdown) ?? [];
  const text = paragraph
    .replace(/\s+/g, ' ')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/[*`]/g, '');
  return /^.+?[.!?](?= [A-Z]|$)/.exec(text)?.[0] ?? text;
}
