/**
 * The servers of the benchmarks `payment-intents.ts` and `memory.ts`, each in a process of its own:
 * `payment-intent-servers.ts upstream | ours | bare <URL of the upstream API>`. A process sends its address to
 * the benchmark, answers each of its messages with the memory in use, and ends with it.
 */
import { createServer } from 'node:http';
import { getHeapSpaceStatistics } from 'node:v8';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { Agent, request } from 'undici';
import { completeTerms, MAX_DONATION_CENTS, MIN_DONATION_CENTS } from '@connect-embed/contract';
import { createConnectServer } from '../index.ts';
import { listen } from '../node/listen.ts';
import { openUndiciFetch } from '../node/undici-fetch.ts';

const [role, apiBase = ''] = process.argv.slice(2);
const API_KEY = 'gb_live_benchmark';
/** Counts as long as the limits of donors do by default, but rejects nothing. */
const UNLIMITED = { points: 1_000_000_000, seconds: 600 };

const PAYMENT_INTENT = {
  object: 'payment_intent',
  payment_intent_id: 'pi_3QxyzBenchmark0000000001',
  client_secret: 'pi_3QxyzBenchmark0000000001_secret_0123456789abcdefghij',
  publishable_key: 'pk_test_benchmark',
  stripe_account_id: 'acct_benchmark',
};

const servers = { upstream: startUpstream, ours: startOurs, bare: startBare };
const port = await servers[role as keyof typeof servers]();
process.send!(`http://127.0.0.1:${port}`);
process.on('message', () => process.send!(readMemory()));

/** The memory of a process in bytes. */
export interface Memory {
  resident: number;
  /** What V8 reserves for new objects. */
  youngGeneration: number;
  /** Objects that are in use: those that a garbage collection leaves. */
  live: number;
}

/** Needs `--expose-gc`. */
function readMemory(): Memory {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!;
  const { rss: resident } = process.memoryUsage();
  globalThis.gc!();
  return { resident, youngGeneration: young.space_size, live: process.memoryUsage().heapUsed };
}

/** A Connect API that answers at once, without a framework, so that its own time hardly counts. */
async function startUpstream(): Promise<number> {
  const answers = new Map<string, string>([
    ['/api/v1/embed-sessions', JSON.stringify(embedSession())],
    ['/api/v1/payment-intents', JSON.stringify(PAYMENT_INTENT)],
  ]);
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      const answer = answers.get(incoming.url ?? '');
      response.writeHead(answer ? 201 : 404, { 'content-type': 'application/json' });
      response.end(answer ?? '{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

/** Our server with the limits of donors switched off, because one client sends all requests. */
async function startOurs(): Promise<number> {
  const server = createConnectServer({
    origins: ['https://www.example.org'],
    apiBase,
    apiKey: API_KEY,
    sessionSecret: 'a session secret of the benchmark',
    forms: { default: { fund_id: 'fund_meals' } },
    limits: {
      credential: UNLIMITED,
      visitor: UNLIMITED,
      address: UNLIMITED,
      form: UNLIMITED,
    },
    guard: {
      visitor: UNLIMITED,
      address: UNLIMITED,
      form: UNLIMITED,
      organization: UNLIMITED,
    },
    fetch: openUndiciFetch().fetch,
  });
  return (await listen(server.fetch, '127.0.0.1', 0)).port;
}

/** The least that a proxy does: reads the body, adds the credential, and returns the answer. */
function startBare(): Promise<number> {
  const agent = new Agent({ connections: 32 });
  const app = new Hono().post('/payment-intents', async (c) => {
    const { statusCode, body } = await request(`${apiBase}/payment-intents`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': c.req.header('idempotency-key') ?? '',
      },
      body: JSON.stringify(await c.req.json()),
      dispatcher: agent,
    });
    return c.json((await body.json()) as object, statusCode as 201);
  });
  return new Promise((resolve) =>
    serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, (info) => resolve(info.port)),
  );
}

function embedSession(): object {
  return {
    id: 'es_benchmark',
    object: 'embed_session',
    session_token: 'gb_es_benchmark',
    organization_id: 'org_benchmark',
    embed_url: 'http://localhost/embed/es_benchmark',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    form: {
      object: 'embed_form',
      organization: { id: 'org_benchmark', name: 'Benchmark' },
      currency: 'usd',
      terms: completeTerms(
        { fund_id: 'fund_meals' },
        { min: MIN_DONATION_CENTS, max: MAX_DONATION_CENTS },
      ),
      fund_name: 'Meals',
      campaign_name: null,
      prefill: { donor_name: null, donor_email: null },
      publishable_key: 'pk_test_benchmark',
      stripe_account_id: 'acct_benchmark',
      stripe_js_url: 'https://js.stripe.com/v3',
      livemode: false,
      receipts: true,
      form_id: null,
      form_version: null,
    },
  };
}
