import { readFileSync } from 'node:fs';
import { raw } from 'hono/html';
import { Marked } from 'marked';
import type { Html } from '../lib/html.ts';

const FOLDER = new URL('../../../../docs/api/', import.meta.url);

/** The guides in docs/api besides its README, in the order in which pages list them. */
export const GUIDES = {
  authentication: 'Authentication',
  oauth: 'OAuth',
  'oauth-libraries': 'OAuth libraries',
  pagination: 'Pagination',
  errors: 'Errors',
  idempotency: 'Idempotency',
  'rate-limits': 'Rate limits',
  webhooks: 'Webhooks',
  examples: 'Examples',
} as const;
export type GuideName = keyof typeof GUIDES;

export const isGuide = (name: string): name is GuideName => Object.hasOwn(GUIDES, name);

const markdown = new Marked({
  async: false,
  renderer: {
    /** Gives each heading an anchor, as GitHub does. */
    heading({ tokens, depth, text }) {
      const id = text
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-');
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    /** Leads to the page of a guide. Other files of the repository are no pages here. */
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      if (href.startsWith('../')) return text;
      return `<a href="${href.replace(/^([\w-]+)\.md/, '/docs/guides/$1')}">${text}</a>`;
    },
  },
});

/** Renders a guide. Its commands contain the URL of this API. */
export const guideContent = (name: GuideName | 'README', baseUrl: string): Html =>
  raw(
    markdown.parse(
      readFileSync(new URL(`${name}.md`, FOLDER), 'utf8').replaceAll(
        'http://localhost:4000',
        baseUrl,
      ),
    ) as string,
  );
