import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { FormSession, PageSession, PaymentIntent } from '@connect-embed/contract';
import type Stripe from 'stripe';
import { createCaller } from '../../../../test/support/api-request.ts';
import { donationsOf } from '../../../../test/support/donations.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { openBrowserStripe } from '../../../../test/support/processor.ts';
import { signViewerToken } from '../../../../test/support/signed-token.ts';
import type { TestSystem } from '../../../../test/support/system.ts';
import { VIEWER_SECRET } from './recipe-folder.ts';

const ORIGIN = 'https://www.example.org';

/**
 * Uses a mounted Connect server as a page of another origin does: loads the script, opens a form,
 * donates with a card of the sandbox, and opens a session for tables.
 *
 * @param url address of the application around the server
 */
export async function checkMountedServer(system: TestSystem, url: string): Promise<void> {
  const server = `${url}/connect`;
  const send = createCaller(server, { origin: ORIGIN });
  await checkScript(server);
  await checkPreflight(server);

  const { session_token } = await bodyOf<FormSession>(send({ path: '/embed-sessions', body: {} }));
  const email = `${randomUUID()}@recipes.example`;
  const body = { amount_cents: 4200, donor_name: 'Ada Lovelace', donor_email: email };
  const request = send({ path: '/payment-intents', token: session_token, body });
  await confirm(system, await bodyOf<PaymentIntent>(request));
  await waitForDonation(system, email);

  const refused = await send({ path: '/component-sessions', body: { components: ['donations'] } });
  assert.equal(refused.status, 401);
  const token = signViewerToken(VIEWER_SECRET);
  const session = send({ path: '/component-sessions', token, body: { components: ['donations'] } });
  await checkSession(await bodyOf<PageSession>(session));
  const other = await send({
    path: '/embed-sessions',
    body: {},
    headers: { origin: 'https://x.example' },
  });
  assert.equal(other.status, 403);
}

/** Uses the application's own endpoint for `fetchSession`. */
export async function checkOwnSession(url: string): Promise<void> {
  const headers = { viewer: signViewerToken(VIEWER_SECRET) };
  const request = fetch(`${url}/giving-session`, { method: 'POST', headers });
  await checkSession(await bodyOf<PageSession>(request));
}

async function checkScript(server: string) {
  const response = await fetch(`${server}/connect.js`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /javascript/);
  assert.match(await response.text(), /connect-donate/);
}

async function checkPreflight(server: string) {
  const headers = {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,idempotency-key',
  };
  const response = await fetch(`${server}/payment-intents`, { method: 'OPTIONS', headers });
  assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN);
  assert.match(response.headers.get('access-control-allow-headers') ?? '', /idempotency-key/i);
}

/** The session has every field that docs/recipes.md calls required, and reads donations. */
async function checkSession(session: PageSession) {
  for (const field of ['token', 'api_base', 'expires_at'] as const) {
    assert.equal(typeof session[field], 'string', field);
  }
  const headers = { authorization: `Bearer ${session.token}` };
  const donations = await fetch(`${session.api_base}/donations?limit=1`, { headers });
  assert.equal(donations.status, 200);
}

/** Confirms like a browser: with the publishable key and the intent's client secret. */
async function confirm({ sandbox }: TestSystem, intent: PaymentIntent) {
  const { client_secret, payment_intent_id, stripe_account_id } = intent;
  const params = { client_secret, payment_method: 'pm_card_visa' };
  const { status } = await openBrowserStripe(sandbox).paymentIntents.confirm(
    payment_intent_id,
    params as Stripe.PaymentIntentConfirmParams,
    { stripeAccount: stripe_account_id! },
  );
  assert.equal(status, 'succeeded');
}

const waitForDonation = (system: TestSystem, email: string) =>
  eventually(async () => {
    const [donation] = await donationsOf(system, email);
    assert.equal(donation?.amount_cents, 4200);
  });

async function bodyOf<Body>(request: Promise<Response>): Promise<Body> {
  const response = await request;
  const text = await response.text();
  assert.ok(response.ok, `${response.status} ${text}`);
  return JSON.parse(text) as Body;
}
