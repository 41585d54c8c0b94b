import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the plugin. */
export const PLUGIN = join(import.meta.dirname, '../../integrations/wordpress/connect-embed');
export const POT_FILE = join(PLUGIN, 'languages/connect-embed.pot');

const TEXT = String.raw`'((?:[^'\\]|\\.)*)'`;
/** A call of a translation function with the text domain of the plugin, as the coding standard writes it. */
const CALL = new RegExp(
  String.raw`\b(?:esc_html_|esc_attr_|_)_?[_e]\(\s*${TEXT},\s*'connect-embed',?\s*\)`,
  'g',
);
const COMMENT = /.*\/\*\s*(translators: .*?)\s*\*\/(.*)$/s;
const HEADER = /^ \* (Plugin Name|Description):\s+(.*)$/gm;

interface Message {
  text: string;
  /** Files with the text. */
  files: Set<string>;
  comment?: string | undefined;
  context?: string | undefined;
}

/** Collects the texts of the plugin that can be translated, each once. */
function collectMessages(): Message[] {
  const messages = new Map<string, Message>();
  const add = (text: string, file: string, { comment, context }: Partial<Message> = {}) => {
    const key = JSON.stringify([context, text]);
    const message = messages.get(key) ?? { text, comment, context, files: new Set() };
    messages.set(key, message);
    message.files.add(file);
  };
  for (const [, name, text] of readPlugin('connect-embed.php').matchAll(HEADER)) {
    add(text!, 'connect-embed.php', { comment: `${name} of the plugin` });
  }
  for (const file of globSync('**/*.{php,js}', { cwd: PLUGIN }).sort()) {
    const source = readPlugin(file);
    for (const { 1: text, index } of source.matchAll(CALL)) {
      add(text!.replaceAll(/\\(.)/g, '$1'), file, { comment: commentAbove(source, index) });
    }
  }
  const block = JSON.parse(readPlugin('block/block.json')) as Record<string, string | string[]>;
  for (const field of ['title', 'description', 'keywords']) {
    const context = `block ${field.replace(/s$/, '')}`;
    for (const text of [block[field]!].flat()) add(text, 'block/block.json', { context });
  }
  return [...messages.values()];
}

/** Returns the comment for translators of a call: the last one before it, unless another call is between. */
function commentAbove(source: string, index: number): string | undefined {
  const [, comment, between] = COMMENT.exec(source.slice(0, index)) ?? [];
  return between?.includes('__(') ? undefined : comment;
}

const readPlugin = (file: string) => readFileSync(join(PLUGIN, file), 'utf8');

/** Renders the template for translations in gettext's format. */
export function renderPot(): string {
  const version = /^ \* Version:\s+(\S+)$/m.exec(readPlugin('connect-embed.php'))![1];
  const header = [
    `Project-Id-Version: Connect Embed Donation Forms ${version}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: 8bit',
    'X-Domain: connect-embed',
  ];
  const entries = collectMessages().map(({ text, files, comment, context }) =>
    [
      ...(comment ? [`#. ${comment}`] : []),
      ...[...files].map((file) => `#: ${file}`),
      ...(context ? [`msgctxt ${JSON.stringify(context)}`] : []),
      `msgid ${JSON.stringify(text)}`,
      'msgstr ""',
    ].join('\n'),
  );
  const start = [
    '# This file is licensed under GPL-2.0-or-later.',
    'msgid ""',
    'msgstr ""',
    ...header.map((line) => JSON.stringify(`${line}\n`)),
  ].join('\n');
  return `${[start, ...entries].join('\n\n')}\n`;
}
