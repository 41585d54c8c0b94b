import { readFileSync } from 'node:fs';
import type { Addresses } from '../../support/house.ts';

const GUIDE = readFileSync(new URL('../../../docs/donation-form.md', import.meta.url), 'utf8');

const blocksOf = (language: string) =>
  [...GUIDE.matchAll(new RegExp(`^( *)\`\`\`${language}\n(.*?)^ *\`\`\`$`, 'gms'))].map(
    ([, , code]) => code!.trim(),
  );

/** The guide's examples as it shows them, in its order. */
export const EXAMPLES = blocksOf('html');

/** The guide's style sheet, for every page with a form. */
const STYLE = blocksOf('css').join('\n');

/**
 * A page with one example on it, as an owner would paste it. One that is a script alone belongs to
 * the frame above it.
 */
export function guidePage(at: number, { server, api_base }: Addresses): string | undefined {
  const example = EXAMPLES[at];
  if (example === undefined) return undefined;
  const frame = EXAMPLES.find((other) => other.startsWith('<iframe'));
  const inFrame = !example.includes('<connect-donate');
  const pasted = inFrame && example.startsWith('<script') ? `${frame}${example}` : example;
  const own = pasted
    .replaceAll('http://localhost:4100', server)
    .replaceAll('http://localhost:4000', new URL(api_base).origin);
  const script = `<script type="module" src="${server}/connect.js"></script>`;
  const around = `${example.includes('/connect.js') ? '' : script}<style>${STYLE}</style>`;
  return `${inFrame ? '' : around}
    <main><h1>Harbor Street</h1>${own}</main>`;
}
