/** A sandbox, a webhook endpoint and Stripe's official client, for one test file. */
import type { Log } from '../src/log.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import type { Config } from '../src/config.ts';
import { type Sandbox, startSandbox } from '../src/start.ts';

export const ACCOUNT = 'acct_harbor_street';
export const WEBHOOK_SECRET = 'whsec_test';

/** Creates a folder that is deleted after the tests. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a sandbox in this process, on a free port; it is stopped after the tests. */
export async function startTestSandbox(options: Partial<Config> = {}, log: Log = () => {}) {
  const sandbox: Sandbox = await startSandbox(
    {
      port: 0,
      host: '127.0.0.1',
      allowedHosts: [],
      dataDir: options.dataDir ?? temporaryFolder(),
      webhookUrl: '',
      webhookSecret: WEBHOOK_SECRET,
      latencyMs: 0,
      requestsPerSecond: 0,
      logLevel: 'info',
      isProduction: false,
      ...options,
    },
    log,
  );
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= sandbox.stop());
  after(stop);
  return { url: sandbox.url, stop };
}

/** Returns the official client without retries, so that a test sees every response. */
export function createClient(
  url: string,
  stripeAccount: string | undefined = ACCOUNT,
  key = 'sk_test_sandbox',
) {
  const { hostname, port } = new URL(url);
  return new Stripe(key, {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...(stripeAccount && { stripeAccount }),
  });
}

type Received = { body: string; signature: string };

/**
 * Starts a webhook endpoint.
 *
 * @param statuses HTTP statuses of the responses in order; the last one repeats
 */
export async function startReceiver(statuses: number[] = [204]) {
  const received: Received[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      received.push({ body, signature: String(request.headers['stripe-signature']) });
      const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 204;
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { received, url: `http://127.0.0.1:${port}/processor-events` };
}

/** Waits until `probe` returns a value; fails after a minute, which a busy machine may need. */
export async function waitFor<T>(
  probe: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline;) {
    const result = await probe();
    if (result) return result;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Timed out waiting for: ${probe.toString()}`);
}

/** Confirms an intent as the card frame does: with publishable key, client secret and card data. */
export async function confirmInBrowser(
  url: string,
  intent: { id: string; client_secret: string | null },
  number: string,
  change: Record<string, string> = {},
) {
  const response = await fetch(`${url}/v1/payment_intents/${intent.id}/confirm`, {
    method: 'POST',
    headers: { authorization: 'Bearer pk_test_sandbox', 'stripe-account': ACCOUNT },
    body: new URLSearchParams({
      client_secret: intent.client_secret ?? '',
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': String(new Date().getFullYear() + 3),
      'payment_method_data[card][cvc]': '314',
      ...change,
    }),
  });
  return { status: response.status, body: (await response.json()) as ConfirmResponse };
}

/** The response to a confirmation: an intent or an error. */
export type ConfirmResponse = Stripe.PaymentIntent & {
  error: {
    type: string;
    code: string;
    decline_code?: string;
    message: string;
    payment_intent?: Stripe.PaymentIntent;
  };
};

/** Calls a route that Stripe does not have: `POST /sandbox/…`. */
export async function callSandboxAdmin(url: string, path: string, body: object, method = 'POST') {
  const response = await fetch(`${url}/sandbox${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
