import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What only these rooms share with each other; made at the first start and kept. */
export interface Secrets {
  /** The server signs visitor tokens with it. */
  session: string;
  /** The demo platform signs its viewer tokens with it, the server checks them. */
  viewer: string;
  /** The sandbox signs its events with it, the API checks them. */
  sandboxWebhook: string;
}

export function keepSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  const fresh: Secrets = {
    session: randomBytes(32).toString('base64url'),
    viewer: randomBytes(32).toString('base64url'),
    sandboxWebhook: `whsec_${randomBytes(24).toString('base64')}`,
  };
  const kept = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Secrets>) : {};
  const secrets = { ...fresh, ...kept };
  writePrivately(path, secrets);
  return secrets;
}

/** Readable by its owner alone, and never seen half-written. */
export function writePrivately(path: string, value: object) {
  const half = `${path}.${process.pid}.new`;
  writeFileSync(half, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(half, path);
}
