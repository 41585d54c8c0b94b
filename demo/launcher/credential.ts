import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { ROOT } from './config.ts';

const CLI = 'packages/api/src/cli.ts';

export interface Credential {
  api_key: string;
  organization_id: string;
}

interface Where {
  apiBase: string;
  /** `demo.json` of an earlier start, which holds the key that was made then. */
  file: string;
  /** The environment that the API runs with: its command finds the database by it. */
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** The key of an earlier start when it still works, else a new one with every scope. */
export async function keepCredential(where: Where): Promise<Credential> {
  return (await readCredential(where)) ?? (await createCredential(where));
}

async function readCredential({ apiBase, file, signal }: Where): Promise<Credential | undefined> {
  if (!existsSync(file)) return undefined;
  const { api_key } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Credential>;
  if (!api_key) return undefined;
  const headers = { authorization: `Bearer ${api_key}` };
  const answer = await fetch(`${apiBase}/organization`, { headers, signal });
  if (!answer.ok) return undefined;
  const { id } = (await answer.json()) as { id: string };
  return { api_key, organization_id: id };
}

async function createCredential({ env, signal }: Where): Promise<Credential> {
  const args = [CLI, 'keys', 'create', '--name', 'npm start', '--scopes', 'all', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env, signal });
  const { key, organization_id } = JSON.parse(stdout) as { key: string; organization_id: string };
  return { api_key: key, organization_id };
}
