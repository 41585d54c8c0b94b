import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The script of the setup: it selects the time zone of the browser. The page works without it. */
export const SETUP_SCRIPT = readFileSync(new URL('setup.js', import.meta.url), 'utf8');
const hash = createHash('sha256').update(SETUP_SCRIPT).digest('base64url').slice(0, 12);

/** Path of the script. It contains a hash of the content, so that browsers can cache it indefinitely. */
export const SETUP_SCRIPT_PATH = `/pages/setup-${hash}.js`;
