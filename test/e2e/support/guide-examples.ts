import { readFileSync } from 'node:fs';
import type { Addresses } from '../../support/system.ts';

const read = (file: string) =>
  readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');

const GUIDE = read('donation-form.md') + read('donation-form-special-cases.md');

const blocksOf = (language: string) =>
  [...GUIDE.matchAll(new RegExp(`^( *)\`\`\`${language}\n(.*?)^ *\`\`\`$`, 'gms'))].map(
    ([, , code]) => code!.trim(),
  );

/** The HTML examples of the guide, in order. */
export const EXAMPLES = blocksOf('html');

/** The guide's CSS, for every page with a form. */
const STYLE = blocksOf('css').join('\n');

/** Returns a page with one example. A script-only example is combined with the frame above it. */
export function guidePage(index: number, { server, api_base }: Addresses): string | undefined {
  const example = EXAMPLES[index];
  if (example === undefined) return undefined;
  const frame = EXAMPLES.find((other) => other.startsWith('<iframe'));
  const inFrame = !example.includes('<connect-donate');
  const embedCode = inFrame && example.startsWith('<script') ? `${frame}${example}` : example;
  const withLocalAddresses = embedCode
    .replaceAll('http://localhost:4100', server)
    .replaceAll('http://localhost:4000', new URL(api_base).origin);
  const script = `<script type="module" src="${server}/connect.js"></script>`;
  const prelude = `${example.includes('/connect.js') ? '' : script}<style>${STYLE}</style>`;
  return `${inFrame ? '' : prelude}
    <main><h1>Harbor Street</h1>${withLocalAddresses}</main>`;
}
