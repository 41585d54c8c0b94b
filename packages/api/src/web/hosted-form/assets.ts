import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const readAsset = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
/**
 * Returns a hash of a file's content. The hash is part of the file name, so that browsers can cache
 * the file indefinitely.
 */
const hashForFileName = (text: string) =>
  createHash('sha256').update(text).digest('base64url').slice(0, 12);

export const HOSTED_STYLE = readAsset('page.css');
export const HOSTED_STYLE_FILE = `${hashForFileName(HOSTED_STYLE)}.css`;

/** Script of a hosted page that is shown in a frame. */
export const FRAMED_SCRIPT = readAsset('framed.js');
export const FRAMED_SCRIPT_FILE = `framed-${hashForFileName(FRAMED_SCRIPT)}.js`;

/**
 * Script for the site around the frame. Its file name is fixed, because site authors include the
 * script by hand.
 */
export const FRAME_SCRIPT = readAsset('frame.js');
export const FRAME_SCRIPT_FILE = 'frame.js';
