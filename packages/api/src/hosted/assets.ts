import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
/** In a file's name, so that browsers may keep it for ever. */
const hashForFileName = (text: string) =>
  createHash('sha256').update(text).digest('base64url').slice(0, 12);

export const HOSTED_STYLE = read('page.css');
export const HOSTED_STYLE_FILE = `${hashForFileName(HOSTED_STYLE)}.css`;

/** Runs in a hosted page that stands in a frame. */
export const FRAMED_SCRIPT = read('framed.js');
export const FRAMED_SCRIPT_FILE = `framed-${hashForFileName(FRAMED_SCRIPT)}.js`;

/** Runs in the page around the frame, under a name that its author can write. */
export const FRAME_SCRIPT = read('frame.js');
export const FRAME_SCRIPT_FILE = 'frame.js';
