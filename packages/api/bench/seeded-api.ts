import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { Agent, request } from 'undici';
import { type TestServer, withDatabase } from '../test-support/database/database-server.ts';
import { startServerProcess } from '../test-support/processes/processes.ts';
import { createApiKey } from '../src/auth/api-key.ts';
import { openDatabase } from '../src/db/database.ts';
import type { Db } from '../src/db/schema.ts';
import { seedIfEmpty } from '../src/db/seed.ts';
import { seedBulkDonations } from '../src/db/seed/bulk.ts';

export const API_SECRET = 'a secret of thirty-two characters';
export const ORGANIZATION = 'org_harbor';
export const CONCURRENCY = 16;
/**
 * Number of API keys. They are used in rotation, so that no key exceeds 120 requests per minute or has
 * two simultaneous requests.
 */
const KEYS = 2_000;

/** A process of the API with a database of its own. */
export interface SeededApi extends AsyncDisposable {
  db: Db;
  /** URL of the database. */
  databaseUrl: string;
  /** How long it took to create the donations. */
  seededInSeconds: number;
  /** Requests a path below `/api/v1`. @throws {Error} if the status is not 200 */
  get: (path: string) => Promise<void>;
}

/** Creates a database with the demonstration data and this many donations, and starts the API on it. */
export async function startSeededApi(server: TestServer, donations: number): Promise<SeededApi> {
  await using disposables = new AsyncDisposableStack();
  const databaseUrl = await createDatabase(server, `donations_${donations}`);
  const { db, close } = openDatabase(databaseUrl, { limitStatements: false });
  disposables.defer(close);
  await seedIfEmpty(db);
  const startedMs = performance.now();
  const onProgress = (written: number) => console.error(`${written} of ${donations} donations`);
  await seedBulkDonations(db, { organizationId: ORGANIZATION, count: donations, onProgress });
  const seededInSeconds = (performance.now() - startedMs) / 1000;
  // PostgreSQL would do this later by itself, while requests are measured.
  await sql`vacuum (analyze) donor, donation`.execute(db);
  const tokens = await createTokens(db);
  const api = await startServerProcess(
    join(import.meta.dirname, '../../cli/src/service/main.ts'),
    { API_PORT: '0', DATABASE_URL: databaseUrl, API_SECRET, LOG_LEVEL: 'warn' },
    ['--role', 'api'],
  );
  disposables.defer(async () => void (await api.stop()));
  const owned = disposables.move();
  let used = 0;
  return {
    db,
    databaseUrl,
    seededInSeconds,
    get: (path) => get(`${api.url}/api/v1${path}`, tokens[used++ % KEYS]),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const agent = new Agent({ connections: CONCURRENCY });

/** @throws {Error} if the status is not 200 */
export async function get(address: string, token?: string): Promise<void> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const { statusCode, body } = await request(address, { headers, dispatcher: agent });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`);
}

/** Its name has the prefix of the server's template, so that it is dropped with it. */
async function createDatabase(server: TestServer, suffix: string): Promise<string> {
  const name = `${server.template}_${suffix}`;
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database ${name} template ${server.template}`);
  await client.end();
  return withDatabase(server.url, name);
}

async function createTokens(db: Db): Promise<string[]> {
  const key = {
    organizationId: ORGANIZATION,
    name: 'bench',
    scopes: ['donations:read', 'reference:read'],
  } as const;
  const tokens: string[] = [];
  // Keys are created in small batches: on a busy machine a thousand simultaneous queries would time out
  // waiting for a connection.
  while (tokens.length < KEYS) {
    const keys = Array.from({ length: CONCURRENCY }, () => createApiKey(db, key));
    tokens.push(...(await Promise.all(keys)).map(({ token }) => token));
  }
  return tokens;
}
