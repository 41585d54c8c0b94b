import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../../../docs/api/', import.meta.url);

/** Reads a guide to the API as Markdown. */
export const readGuide = (name: string): string =>
  readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');

/** Returns the code blocks of a guide, in order. */
export const codeBlocks = (guide: string): { language: string; text: string }[] =>
  [...readGuide(guide).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
