import { readFileSync } from 'node:fs';
import { contentHash } from '@connect-embed/api/lib/content-hash';

/** The script of the setup: it selects the time zone of the browser. The page works without it. */
export const SETUP_SCRIPT = readFileSync(new URL('setup.js', import.meta.url), 'utf8');
export const SETUP_SCRIPT_PATH = `/pages/setup-${contentHash(SETUP_SCRIPT)}.js`;
