import { posix } from 'node:path';

/** Address of the repository. It is not decided yet, so this is the placeholder of all packages. */
export const REPOSITORY = 'https://github.com/example/connect-embed';

/** Matches the target of a Markdown link or image: `](target)`. */
const LINK = /\]\(([^)\s]+)\)/g;

/** Matches a fenced code block, whose content is not changed. */
const CODE_BLOCK = /^( *)(```+)[^\n]*\n[\s\S]*?^\1\2 *$/gm;

/** The pages whose address differs from their path in `docs/`. */
const RENAMED: Readonly<Record<string, string>> = {
  'README.md': 'overview.md',
  '../CHANGELOG.md': 'changelog.md',
};

/**
 * Returns the path of a page of the site for a file of `docs/`; undefined if the file is not a page.
 *
 * @param file path relative to `docs/`, such as `api/README.md`
 */
export function pagePath(file: string): string | undefined {
  const renamed = RENAMED[file];
  if (renamed) return renamed;
  if (file.startsWith('../') || !file.endsWith('.md')) return undefined;
  return file.replace(/(^|\/)README\.md$/, '$1index.md');
}

/**
 * Rewrites the links of a file of `docs/` for the site. Links to pages stay relative, so that they
 * also work in the Markdown of each page. Links to files outside of `docs/` lead to the repository.
 *
 * @param file path relative to `docs/`
 */
export function rewriteLinks(markdown: string, file: string): string {
  let text = '';
  let end = 0;
  for (const block of markdown.matchAll(CODE_BLOCK)) {
    text += rewriteProse(markdown.slice(end, block.index), file) + block[0];
    end = block.index + block[0].length;
  }
  return text + rewriteProse(markdown.slice(end), file);
}

const rewriteProse = (text: string, file: string) =>
  text.replace(LINK, (_, target: string) => `](${rewriteTarget(target, file)})`);

function rewriteTarget(target: string, file: string): string {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const resolved = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, '');
  const page = pagePath(resolved);
  const suffix = anchor ? `#${anchor}` : '';
  if (page) return `${posix.relative(posix.dirname(pagePath(file) ?? '.'), page)}${suffix}`;
  if (!resolved.startsWith('../')) return target;
  return `${REPOSITORY}/blob/main/${resolved.slice(3)}${suffix}`;
}
