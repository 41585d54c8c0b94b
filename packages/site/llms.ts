import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fillSections, FRONT_PAGE } from './navigation.ts';
import type { Page } from './pages.ts';

const SUMMARY = `# Connect Embed

> Accept donations on any web page with one script and one tag. Custom elements for a donation form, a campaign goal
> and tables of donations, a server that holds the API key, and the Connect API. Runs on your own servers, with your
> Stripe account.
`;

/** Writes `llms.txt` (llmstxt.org), `llms-full.txt`, and the Markdown of each page beside it. */
export function writeMarkdown(pages: readonly Page[], folder: string): void {
  const index = `${SUMMARY}\n${indexOf(pages)}`;
  for (const page of pages) {
    const file = join(folder, `${page.path}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, page.path === FRONT_PAGE ? index : plainMarkdown(page));
  }
  writeFileSync(join(folder, 'llms.txt'), index);
  const guides = pages.filter(({ path }) => path !== FRONT_PAGE && !path.startsWith('decisions/'));
  writeFileSync(join(folder, 'llms-full.txt'), [SUMMARY, ...guides.map(plainMarkdown)].join('\n'));
}

/** The pages by section of the navigation. The decision records are optional (llmstxt.org). */
function indexOf(pages: readonly Page[]): string {
  const descriptions = new Map(pages.map(({ path, description }) => [path, description]));
  return fillSections(pages)
    .filter((section) => section.pages.length > 0)
    .map(({ title, pages: items }) => {
      const lines = items.map(({ path, title: name }) => {
        const description = descriptions.get(path);
        return `- [${name}](${path}.md)${description ? `: ${description}` : ''}`;
      });
      return `## ${title === 'Decisions' ? 'Optional' : title}\n\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

/** The Markdown of a page without front matter and without the components of the site. */
const plainMarkdown = ({ markdown }: Page) =>
  `${markdown
    .replace(/^---\n[^]*?\n---\n/, '')
    .replace(/^<\/?(?:main|PlayGround).*\n/gm, '')
    .trim()}\n`;
