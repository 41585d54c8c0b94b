/**
 * `npm run bench:donations`: measures how many donations a second one API process makes and records, with
 * PostgreSQL and the sandbox on the same machine, beside the same payments in the sandbox alone. It also
 * prints the SQL statements of a donation, which `src/payments/donation-statements.test.ts` counts.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { Agent, request } from 'undici';
import { openTestServer, withDatabase } from '../test-support/database/database-server.ts';
import { freePort } from '../test-support/processes/free-port.ts';
import { startServerProcess } from '../test-support/processes/processes.ts';
import { createApiKey } from '../src/auth/api-key.ts';
import { openDatabase } from '../src/db/database.ts';
import { DEMO_ORGANIZATION_ID, seedIfEmpty } from '../src/db/seed.ts';
import { HANDLERS } from '../src/payments/stripe-events/handlers.ts';
import { median } from '../test-support/median.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    'database-url': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const ROUND_MS = Number(options.seconds) * 1000;
if (options.help || !(ROUND_MS > 0)) {
  process.stdout.write(`npm run bench:donations -- [--seconds 8] [--database-url postgres://…]

Prints how many donations a second one API process makes and records, against the same payments in the sandbox alone,
and how many SQL statements a donation takes.
--seconds: how long each of the rounds takes, which alternate.
`);
  process.exit(options.help ? 0 : 1);
}
const MAX_STATEMENTS = 20;
const MIN_DONATIONS_PER_SECOND = 120;
const ROUNDS = 3;
const CONCURRENCY = 16;
/** Used in rotation, because a key may send 120 requests a minute. */
const KEYS = 200;
/** The Stripe account of the demo organization. */
const ACCOUNT = 'acct_harbor_street';

const statements = countStatements();
await using disposables = new AsyncDisposableStack();
const server = await openTestServer(options['database-url']);
disposables.defer(server.close);
const url = withDatabase(server.url, server.template);
const { db, close } = openDatabase(url);
disposables.defer(close);
await seedIfEmpty(db);
const keys = await createKeys();
const agent = new Agent({ connections: CONCURRENCY });
disposables.defer(() => agent.destroy());

const apiPort = await freePort();
const reporting = await startSandbox();
const webhookSecret = await createWebhookEndpoint(reporting);
const alone = await startSandbox();
const api = await startServerProcess(
  join(import.meta.dirname, '../../cli/src/service/main.ts'),
  {
    ...{ API_PORT: apiPort, DATABASE_URL: url, SANDBOX_URL: reporting, LOG_LEVEL: 'warn' },
    ...{
      API_SECRET: 'a secret of thirty-two characters',
      SANDBOX_WEBHOOK_SECRET: webhookSecret,
      STRIPE_REQUESTS_PER_SECOND: '10000',
    },
  },
  ['--role', 'all'],
);
disposables.defer(async () => void (await api.stop()));

await measureDonations(); // Warm-up: compiles the code and opens all connections.
await measurePayments();
const rates = { donations: [] as number[], payments: [] as number[] };
for (let round = 0; round < ROUNDS; round += 1) {
  rates.donations.push(await measureDonations());
  rates.payments.push(await measurePayments());
}
const [donations, payments] = [median(rates.donations), median(rates.payments)];
printRow('', 'measured', 'ratio', 'goal');
printRow('payments in the sandbox alone', `${payments.toFixed(0)}/s`, '1.00', '');
printRow(
  'donations made and recorded',
  `${donations.toFixed(0)}/s`,
  (donations / payments).toFixed(2),
  `≥ ${MIN_DONATIONS_PER_SECOND}/s${donations < MIN_DONATIONS_PER_SECOND ? ' UNDER BUDGET' : ''}`,
);
const total = statements.reduce((sum, count) => sum + count);
const over = total > MAX_STATEMENTS ? ' OVER BUDGET' : '';
if (over) process.exitCode = 1;
printRow(
  'SQL statements of a donation',
  String(total),
  '',
  `≤ ${MAX_STATEMENTS}${over}  to create ${statements[0]}, record ${statements[1]}, deliver to one endpoint ${statements[2]}`,
);

function printRow(name: string, measured: string, ratio: string, goal: string): void {
  process.stdout.write(
    `${name.padEnd(32)} ${measured.padStart(10)} ${ratio.padStart(7)}  ${goal}`.trimEnd() + '\n',
  );
}

/**
 * Counts the SQL statements that create a donation, record it, and deliver its webhook event to one endpoint.
 * The sending of the receipt by email is not included.
 */
function countStatements(): number[] {
  const flags = ['--test', '--test-reporter=tap'];
  const setup = `--test-global-setup=${join(import.meta.dirname, '../test-support/global-setup.ts')}`;
  const file = join(import.meta.dirname, '../src/payments/donation-statements.test.ts');
  const { stdout } = spawnSync(process.execPath, [...flags, setup, file], { encoding: 'utf8' });
  const [, counts] = /create, record, deliver: ([\d +]+) =/.exec(stdout) ?? [];
  if (!counts) throw new Error(`The test printed no count:\n${stdout}`);
  return counts.split(' + ').map(Number);
}

async function startSandbox(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'connect-bench-sandbox-'));
  disposables.defer(() => rm(dataDir, { recursive: true, force: true }));
  const sandbox = await startServerProcess(join(import.meta.dirname, '../../sandbox/src/main.ts'), {
    SANDBOX_PORT: '0',
    DATA_DIR: dataDir,
    SANDBOX_WEBHOOK_URL: '',
    LOG_LEVEL: 'warn',
  });
  disposables.defer(async () => void (await sandbox.stop()));
  return sandbox.url;
}

/** Creates the API's webhook endpoint with the event types that docs/operations.md lists. Returns its secret. */
async function createWebhookEndpoint(sandbox: string): Promise<string> {
  const parameters = new URLSearchParams({
    url: `http://127.0.0.1:${apiPort}/processor-events`,
    connect: 'true',
  });
  for (const type of HANDLERS.keys()) parameters.append('enabled_events[]', type);
  const headers = {
    authorization: 'Bearer sk_test_sandbox',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const endpoint = await post(`${sandbox}/v1/webhook_endpoints`, headers, parameters.toString());
  return endpoint['secret']!;
}

/** Returns the donations a second, from the first request to the last recorded donation. */
async function measureDonations(): Promise<number> {
  const before = await countDonations();
  const started = performance.now();
  const made = await repeat(async (index) => {
    const intent = await post(
      `http://127.0.0.1:${apiPort}/api/v1/payment-intents`,
      { 'idempotency-key': randomUUID(), authorization: `Bearer ${keys[index % KEYS]}` },
      JSON.stringify({
        ...{ amount_cents: 5000, donor_name: 'Ada Lovelace' },
        donor_email: `${randomUUID()}@bench.example`,
      }),
    );
    await confirm(reporting, intent['payment_intent_id'], intent['client_secret']);
  });
  while ((await countDonations()) < before + made) await sleep(10);
  return made / ((performance.now() - started) / 1000);
}

/** Returns the payments a second that the sandbox makes for a client that does nothing else. */
async function measurePayments(): Promise<number> {
  const started = performance.now();
  const made = await repeat(async () => {
    const parameters = 'amount=5000&currency=usd&automatic_payment_methods[enabled]=true';
    const headers = stripeHeaders('sk_test_sandbox');
    const intent = await post(`${alone}/v1/payment_intents`, headers, parameters);
    await confirm(alone, intent['id'], intent['client_secret']);
  });
  return made / ((performance.now() - started) / 1000);
}

/** Calls a function for one round, CONCURRENCY times at once. Returns the number of calls. */
async function repeat(call: (index: number) => Promise<void>): Promise<number> {
  const end = performance.now() + ROUND_MS;
  let calls = 0;
  const callInTurn = async () => {
    while (performance.now() < end) await call(calls++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, callInTurn));
  return calls;
}

async function confirm(sandbox: string, id = '', secret = ''): Promise<void> {
  const parameters = `payment_method=pm_card_visa&client_secret=${secret}`;
  const headers = stripeHeaders('pk_test_sandbox');
  await post(`${sandbox}/v1/payment_intents/${id}/confirm`, headers, parameters);
}

function stripeHeaders(key: string) {
  return {
    ...{ authorization: `Bearer ${key}`, 'stripe-account': ACCOUNT },
    'content-type': 'application/x-www-form-urlencoded',
  };
}

async function post(address: string, headers: Record<string, string>, body: string) {
  const { statusCode, body: response } = await request(address, {
    ...{ method: 'POST', body, dispatcher: agent },
    headers: { 'content-type': 'application/json', ...headers },
  });
  const text = await response.text();
  if (statusCode >= 300) throw new Error(`${address}: ${statusCode} ${text}`);
  return JSON.parse(text) as Record<string, string>;
}

async function countDonations(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from donation`.execute(db);
  return rows[0]!.count;
}

async function createKeys(): Promise<string[]> {
  const scopes = ['payments:write'] as const;
  const created: string[] = [];
  while (created.length < KEYS) {
    const key = { organizationId: DEMO_ORGANIZATION_ID, name: 'bench', scopes };
    created.push((await createApiKey(db, key)).token);
  }
  return created;
}
