import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile } from './json-file.ts';

/** Secrets that two services share; they are created at the first start. */
export interface Secrets {
  /** The BFF signs session tokens with it. */
  session: string;
  /** The demo platform signs viewer tokens with it, and the BFF verifies them. */
  viewer: string;
  /** The sandbox signs its webhook events with it, and the API verifies them. */
  sandboxWebhook: string;
  /** The API key of the BFF, which the API stores with the demo data, or with the first organization. */
  serverKey: string;
}

const MIN_SECRET_LENGTH = 32;

/**
 * Loads the secrets from the data folder, or creates them at the first start.
 *
 * @throws {Error} naming the file and the damaged secret
 */
export function loadOrCreateSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json');
  const secrets: Record<string, unknown> = {
    session: randomBytes(32).toString('base64url'),
    viewer: randomBytes(32).toString('base64url'),
    sandboxWebhook: `whsec_${randomBytes(24).toString('base64')}`,
    serverKey: `gb_live_${randomBytes(32).toString('base64url')}`,
    ...readJsonFile(path, RECOVERY_HINT),
  };
  for (const [name, secret] of Object.entries(secrets)) {
    if (typeof secret === 'string' && secret.length >= MIN_SECRET_LENGTH) continue;
    throw new Error(
      `${path} is damaged: "${name}" must have at least ${MIN_SECRET_LENGTH} characters. ${RECOVERY_HINT}`,
    );
  }
  writePrivateFile(path, secrets);
  return secrets as unknown as Secrets;
}

const RECOVERY_HINT =
  'Delete the file: the next start creates new secrets. Then reload open pages.';

/** Writes a file atomically, readable by its owner only. */
export function writePrivateFile(path: string, value: object) {
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, path);
}
