import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programPath, ROOT } from './config.ts';
import { readJsonFile } from './json-file.ts';

interface Credential {
  api_key: string;
  organization_id: string;
}

interface CredentialOptions {
  apiBase: string;
  /** The API key of an earlier start, or the one that the API has stored with the demo data. */
  apiKey: string;
  /** The environment of the API, with which the CLI finds the database. */
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/**
 * Returns the API key for the BFF: the given one if it is valid, else a new one with every scope.
 */
export async function loadOrCreateCredential(options: CredentialOptions): Promise<Credential> {
  return (await verifyKey(options)) ?? (await createCredential(options));
}

/**
 * Reads the API key that an earlier start saved in `demo.json`.
 *
 * @throws {Error} naming the file if it is damaged
 */
export function readSavedKey(file: string): string | undefined {
  const recovery = 'Delete the file: the next start creates a new API key.';
  const api_key = readJsonFile(file, recovery)?.['api_key'];
  return typeof api_key === 'string' ? api_key : undefined;
}

async function verifyKey(options: CredentialOptions): Promise<Credential | undefined> {
  const { apiBase, apiKey: api_key, signal } = options;
  const headers = { authorization: `Bearer ${api_key}` };
  const response = await fetch(`${apiBase}/organization`, { headers, signal });
  if (!response.ok) return undefined;
  const { id } = (await response.json()) as { id: string };
  return { api_key, organization_id: id };
}

async function createCredential({ env, signal }: CredentialOptions): Promise<Credential> {
  const args = [
    programPath('packages/cli/src/main'),
    'keys',
    'create',
    '--name',
    'npm start',
    '--scopes',
    'all',
    '--json',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env, signal });
  const { key, organization_id } = JSON.parse(stdout) as { key: string; organization_id: string };
  return { api_key: key, organization_id };
}
