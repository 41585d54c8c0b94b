import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../../../docs/api/', import.meta.url);

/** The guides in docs/api, in the order in which the reference shows them. */
export const GUIDES = [
  'README',
  'authentication',
  'oauth',
  'oauth-libraries',
  'pagination',
  'errors',
  'idempotency',
  'rate-limits',
  'webhooks',
] as const;

/**
 * Reads the guides as one Markdown text for the reference. Links between guides become links to
 * headings, and commands contain the URL of this API.
 */
export function readGuides(baseUrl: string): string {
  return GUIDES.map((name) => readFileSync(new URL(`${name}.md`, FOLDER), 'utf8'))
    .join('\n')
    .replace(/^# Connect API\n/, '')
    .replaceAll('http://localhost:4000', baseUrl)
    .replace(/\]\(([\w-]+)\.md\)/g, '](#description/$1)')
    .replace(/\[([^\]]+)\]\(\.\.\/[^)]+\)/g, '$1'); // Pages that are not part of the reference.
}
