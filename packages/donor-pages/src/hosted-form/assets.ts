import { readFileSync } from 'node:fs';
import { STYLE } from '../page/style.ts';
import { contentHash } from '@connect-embed/api/lib/content-hash';

const readAsset = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

export const STYLE_FILE = `${contentHash(STYLE)}.css`;

/** Script of a hosted page that is shown in a frame. */
export const FRAMED_SCRIPT = readAsset('framed.js');
export const FRAMED_SCRIPT_FILE = `framed-${contentHash(FRAMED_SCRIPT)}.js`;

/**
 * Script for the site around the frame. Its file name is fixed, because site authors include the
 * script by hand.
 */
export const FRAME_SCRIPT = readAsset('frame.js');
export const FRAME_SCRIPT_FILE = 'frame.js';
