import { readFileSync } from 'node:fs';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** The release of this program, from the `package.json` of its package. */
export const VERSION = (JSON.parse(manifest) as { version: string }).version;
