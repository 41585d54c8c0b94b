/**
 * `node test/site-builder-drawings.ts` draws the illustrations of docs/site-builders for site builders that
 * our tests cannot open. They are schematic, so that nobody takes them for screenshots.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitOnHelpOption } from './support/help-option.ts';

const GUIDES = join(import.meta.dirname, '../docs/site-builders');

interface Drawing {
  /** Name of the guide and of the image. */
  guide: string;
  title: string;
  /** Entries of the menu at the side. */
  menu: string[];
  /** The entry to choose. */
  chosen: string;
  /** Title of the element on the page that contains the code of the guide. */
  element: string;
  /** Label of the button that publishes the page. */
  publish: string;
}

const DRAWINGS: Drawing[] = [
  {
    guide: 'squarespace',
    title: 'Page editor',
    menu: ['Text', 'Image', 'Button', 'Code', 'Form'],
    chosen: 'Code',
    element: 'Code block · HTML · Display source: off',
    publish: 'Save',
  },
  {
    guide: 'wix',
    title: 'Site editor',
    menu: ['Text', 'Image', 'Button', 'Embed code', 'Menu'],
    chosen: 'Embed code',
    element: 'Embed a site · website address',
    publish: 'Publish',
  },
  {
    guide: 'webflow',
    title: 'Designer',
    menu: ['Section', 'Container', 'Link block', 'Code Embed', 'Image'],
    chosen: 'Code Embed',
    element: 'Code Embed',
    publish: 'Publish',
  },
  {
    guide: 'shopify',
    title: 'Theme editor',
    menu: ['Header', 'Page', 'Rich text', 'Custom Liquid', 'Footer'],
    chosen: 'Custom Liquid',
    element: 'Custom Liquid section',
    publish: 'Save',
  },
  {
    guide: 'ghost',
    title: 'Post editor',
    menu: ['Image', 'Markdown', 'HTML', 'Gallery', 'Divider'],
    chosen: 'HTML',
    element: 'HTML card',
    publish: 'Publish',
  },
  {
    guide: 'html',
    title: 'Your page',
    menu: ['<header>', '<h1>', '<p>', 'The two lines', '<footer>'],
    chosen: 'The two lines',
    element: 'Where the form appears',
    publish: 'Upload',
  },
];

const FONT = 'font-family="system-ui, sans-serif"';
const MONO = 'font-family="ui-monospace, monospace"';
const ROW = 52;

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const text = (x: number, y: number, content: string, attributes: string) =>
  `<text x="${x}" y="${y}" ${attributes}>${escapeXml(content)}</text>`;

function menuEntry(label: string, index: number, chosen: string): string {
  const y = 92 + index * ROW;
  const isChosen = label === chosen;
  const fill = isChosen ? '#0b6b5b' : '#ffffff';
  const color = isChosen ? '#ffffff' : '#4a5459';
  return [
    `<rect x="24" y="${y}" width="192" height="40" rx="8" fill="${fill}" stroke="#c3cbc9"/>`,
    text(40, y + 26, label, `${FONT} font-size="16" font-weight="600" fill="${color}"`),
  ].join('');
}

/** Draws the number of a step in a circle. */
const step = (x: number, y: number, number: number) =>
  [
    `<circle cx="${x}" cy="${y}" r="13" fill="#1c2328"/>`,
    text(
      x,
      y + 5,
      String(number),
      `${FONT} font-size="15" font-weight="700" fill="#ffffff" text-anchor="middle"`,
    ),
  ].join('');

/** Returns the first code of a guide, in lines that are short enough for the drawing. */
function codeOf(guide: string): string[] {
  const markdown = readFileSync(join(GUIDES, `${guide}.md`), 'utf8');
  const [, code] = /```(?:html|text)\n(.+?)\n```/s.exec(markdown)!;
  return code!.replace(' src=', '\n  src=').split('\n');
}

/** Draws a window with a menu at the side, and the embedded element on the page beside it. */
function draw({ guide, title, menu, chosen, element, publish }: Drawing): string {
  const chosenY = 92 + menu.indexOf(chosen) * ROW + 20;
  const page = [
    '<rect x="264" y="92" width="472" height="14" rx="7" fill="#e3e8e6"/>',
    '<rect x="264" y="118" width="380" height="14" rx="7" fill="#e3e8e6"/>',
    '<rect x="264" y="152" width="472" height="140" rx="10" fill="#eef6f4" stroke="#0b6b5b" stroke-width="2" stroke-dasharray="8 6"/>',
    text(284, 184, element, `${FONT} font-size="16" font-weight="600" fill="#0b6b5b"`),
    ...codeOf(guide).map((line, index) =>
      text(
        284,
        218 + index * 26,
        line,
        `${MONO} font-size="13" fill="#1c2328" xml:space="preserve"`,
      ),
    ),
    '<rect x="264" y="312" width="440" height="14" rx="7" fill="#e3e8e6"/>',
  ];
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 372" width="760" height="372">',
    '<rect x="1" y="1" width="758" height="370" rx="14" fill="#ffffff" stroke="#c3cbc9" stroke-width="2"/>',
    '<path d="M1 60h758" stroke="#c3cbc9" stroke-width="2"/>',
    '<path d="M240 60v310" stroke="#c3cbc9" stroke-width="2"/>',
    ...[28, 50, 72].map((x) => `<circle cx="${x}" cy="30" r="7" fill="#d5dcda"/>`),
    text(100, 36, title, `${FONT} font-size="17" font-weight="600" fill="#1c2328"`),
    text(
      440,
      35,
      'Drawing, not a screenshot',
      `${FONT} font-size="14" fill="#5d676b" text-anchor="middle"`,
    ),
    '<rect x="626" y="13" width="110" height="36" rx="8" fill="#0b6b5b"/>',
    text(
      681,
      36,
      publish,
      `${FONT} font-size="15" font-weight="600" fill="#ffffff" text-anchor="middle"`,
    ),
    ...menu.map((label, index) => menuEntry(label, index, chosen)),
    `<path d="M220 ${chosenY} H252" stroke="#0b6b5b" stroke-width="3"/>`,
    `<path d="M250 ${chosenY - 7} l10 7 l-10 7 z" fill="#0b6b5b"/>`,
    ...page,
    step(24, chosenY - 20, 1),
    step(736, 152, 2),
    step(626, 31, 3),
    '</svg>',
  ].join('\n');
}

/** Every drawing, by the path of its file. */
export const drawAll = (): ReadonlyMap<string, string> =>
  new Map(
    DRAWINGS.map((drawing) => [join(GUIDES, `images/${drawing.guide}.svg`), `${draw(drawing)}\n`]),
  );

if (import.meta.main) {
  exitOnHelpOption('Draws the illustrations in docs/site-builders/images.');
  for (const [file, drawing] of drawAll()) writeFileSync(file, drawing);
}
