/**
 * `npm run bench:sign-in`: measures how long a sign-in takes while 40 other sign-ins are in
 * progress.
 *
 * The benchmark runs an API process on an embedded PostgreSQL. Every request has a different IP
 * address, so that the rate limiter does not reject it. For each sign-in the API computes a password
 * hash, which is slow.
 * docs/decisions/0084-sign-in-security.md
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { openTestServer, withDatabase } from '../test-support/database/database-server.ts';
import { freePort } from '../test-support/processes/free-port.ts';
import { startServerProcess } from '../test-support/processes/processes.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE } from '../src/users/demo-people.ts';

const IN_FLIGHT = 40;
const ROUNDS = 9;
/** Time for the other sign-ins to reach the server, in milliseconds. */
const HEAD_START_MS = 50;
const MAX_ATTEMPTS = 10;

const { values: options } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
if (options.help) {
  process.stdout.write(`npm run bench:sign-in

Prints how long a sign-in takes while ${IN_FLIGHT} others are in progress. Takes half a minute.
`);
  process.exit();
}

await using disposables = new AsyncDisposableStack();
const server = await openTestServer(undefined);
disposables.defer(server.close);
// The sign-in page accepts forms only from its own URL, so the port must be known before the start.
const port = await freePort();
const api = await startServerProcess(
  join(import.meta.dirname, '../../cli/src/service/main.ts'),
  {
    ...{ API_PORT: port, DATABASE_URL: withDatabase(server.url, server.template) },
    ...{ API_SECRET: 'a secret of thirty-two characters', LOG_LEVEL: 'error', TRUST_PROXY: '1' },
  },
  ['--role', 'api', '--seed'],
);
disposables.defer(async () => void (await api.stop()));
const agent = new Agent({ connections: IN_FLIGHT + 10 });
disposables.defer(() => agent.destroy());

let addresses = 0;
const nextAddress = () =>
  `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`;

/** Submits the sign-in form. */
async function send(email: string, password: string) {
  const { statusCode, headers, body } = await request(`${api.url}/sign-in`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': nextAddress(),
      origin: api.url,
      'sec-fetch-site': 'same-origin',
    },
    body: new URLSearchParams({ email, password, next: '/dashboard' }).toString(),
    dispatcher: agent,
  });
  await body.dump();
  return { status: statusCode, retryAfter: Number(headers['retry-after'] ?? 1) };
}

/**
 * Signs in. Retries a rejected request after `Retry-After`.
 *
 * @returns the milliseconds until the first response and until the end, and the number of attempts
 */
async function signIn() {
  const started = performance.now();
  let first: number | undefined;
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    const { status, retryAfter } = await send(DEMO_PEOPLE[0].email, DEMO_PASSWORD);
    first ??= performance.now() - started;
    if (status === 303 || status === 302)
      return { first, all: performance.now() - started, attempts };
    if (status !== 503) throw new Error(`The sign-in was answered ${status}.`);
    await sleep(retryAfter * 1000);
  }
  throw new Error(`Refused ${MAX_ATTEMPTS} times.`);
}

async function pageMs(): Promise<number> {
  const started = performance.now();
  const { body } = await request(`${api.url}/sign-in`, { dispatcher: agent });
  await body.dump();
  return performance.now() - started;
}

await signIn();
const idleMs: number[] = [];
const pageLoadMs: number[] = [];
const signInsUnderLoad: Awaited<ReturnType<typeof signIn>>[] = [];
let refused = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  idleMs.push((await signIn()).all);
  const otherSignIns = Array.from({ length: IN_FLIGHT }, (_, nth) =>
    send(`nobody-${round}-${nth}@example.org`, 'a wrong password'),
  );
  await sleep(HEAD_START_MS);
  const [result, ms] = await Promise.all([signIn(), pageMs()]);
  signInsUnderLoad.push(result);
  pageLoadMs.push(ms);
  refused += (await Promise.all(otherSignIns)).filter(({ status }) => status === 503).length;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const [usual, first, all] = [
  median(idleMs),
  median(signInsUnderLoad.map((result) => result.first)),
  median(signInsUnderLoad.map((result) => result.all)),
];
process.stdout.write(`sign-in alone: ${usual.toFixed(0)} ms
with ${IN_FLIGHT} in flight: first answer after ${first.toFixed(0)} ms, signed in after ${all.toFixed(0)} ms (${(all / usual).toFixed(1)} times; longest ${Math.max(...signInsUnderLoad.map((result) => result.all)).toFixed(0)} ms)
refused with Retry-After: ${signInsUnderLoad.filter(({ attempts }) => attempts > 1).length} of ${ROUNDS} of these, ${refused} of ${ROUNDS * IN_FLIGHT} of the others
the sign-in page meanwhile: ${median(pageLoadMs).toFixed(0)} ms
`);
