/**
 * `node test/site-builder-drawings.ts` draws the illustrations of docs/site-builders for site builders that
 * our tests cannot open. They are schematic, so that nobody takes them for screenshots.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitOnHelpOption } from './support/help-option.ts';

exitOnHelpOption('Draws the illustrations in docs/site-builders/images.');

const FOLDER = join(import.meta.dirname, '../docs/site-builders/images');

interface Drawing {
  file: string;
  title: string;
  /** Entries of the menu at the side. */
  menu: string[];
  /** The entry to choose. */
  chosen: string;
  /** Title of the element on the page, and the lines in it. */
  element: string;
  lines: string[];
}

const CODE = ['<script type="module" src="…">', '<connect-donate form="…">'];

const DRAWINGS: Drawing[] = [
  {
    file: 'squarespace',
    title: 'Page editor',
    menu: ['Text', 'Image', 'Button', 'Code', 'Form'],
    chosen: 'Code',
    element: 'Code block · HTML · Display source: off',
    lines: CODE,
  },
  {
    file: 'wix',
    title: 'Site editor',
    menu: ['Text', 'Image', 'Button', 'Embed code', 'Menu'],
    chosen: 'Embed code',
    element: 'Embed a site · website address',
    lines: ['https://…/embed/…'],
  },
  {
    file: 'webflow',
    title: 'Designer',
    menu: ['Section', 'Container', 'Link block', 'Code Embed', 'Image'],
    chosen: 'Code Embed',
    element: 'Code Embed editor',
    lines: CODE,
  },
  {
    file: 'shopify',
    title: 'Theme editor',
    menu: ['Header', 'Page', 'Rich text', 'Custom Liquid', 'Footer'],
    chosen: 'Custom Liquid',
    element: 'Custom Liquid section',
    lines: CODE,
  },
  {
    file: 'ghost',
    title: 'Post editor',
    menu: ['Image', 'Markdown', 'HTML', 'Gallery', 'Divider'],
    chosen: 'HTML',
    element: 'HTML card',
    lines: CODE,
  },
  {
    file: 'html',
    title: 'Your page',
    menu: ['<header>', '<h1>', '<p>', 'The two lines', '<footer>'],
    chosen: 'The two lines',
    element: 'Where the form appears',
    lines: CODE,
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

/** Draws a window with a menu at the side, and the embedded element on the page beside it. */
function draw({ title, menu, chosen, element, lines }: Drawing): string {
  const arrowY = 92 + menu.indexOf(chosen) * ROW + 20;
  const page = [
    '<rect x="264" y="92" width="472" height="14" rx="7" fill="#e3e8e6"/>',
    '<rect x="264" y="118" width="380" height="14" rx="7" fill="#e3e8e6"/>',
    '<rect x="264" y="152" width="472" height="140" rx="10" fill="#eef6f4" stroke="#0b6b5b" stroke-width="2" stroke-dasharray="8 6"/>',
    text(284, 184, element, `${FONT} font-size="16" font-weight="600" fill="#0b6b5b"`),
    ...lines.map((line, index) =>
      text(284, 222 + index * 30, line, `${MONO} font-size="15" fill="#1c2328"`),
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
      736,
      36,
      'Drawing, not a screenshot',
      `${FONT} font-size="14" fill="#5d676b" text-anchor="end"`,
    ),
    ...menu.map((label, index) => menuEntry(label, index, chosen)),
    `<path d="M220 ${arrowY} H252" stroke="#0b6b5b" stroke-width="3"/>`,
    `<path d="M250 ${arrowY - 7} l10 7 l-10 7 z" fill="#0b6b5b"/>`,
    ...page,
    '</svg>',
  ].join('\n');
}

for (const drawing of DRAWINGS) {
  writeFileSync(join(FOLDER, `${drawing.file}.svg`), `${draw(drawing)}\n`);
}
