import { formatDate } from '@connect-embed/contract';
import { STRIPE_VARIABLES } from '../config.ts';
import { acrossOrganizations } from '../db/organization-scope.ts';
import type { Deps } from '../deps.ts';
import { formatError } from '../lib/log.ts';
import { HANDLERS } from '../payments/stripe-events/handlers.ts';
import type { StripeWebhookEndpoint } from '../payments/stripe/health.ts';
import { passed, warning, failure, type CheckResult } from './check-result.ts';

const CONNECTED_ACCOUNTS_FIX =
  'In Stripe, create an endpoint for events of connected accounts, and set STRIPE_WEBHOOK_SECRET to its signing secret.';

/** Clock difference above which signatures of webhook events are rejected. */
const MAX_SKEW_SECONDS = 300;
const WARN_SKEW_SECONDS = 30;

/** Checks that Stripe accepts our secret key and that the clocks agree. */
export async function checkProcessor({
  processor,
}: Pick<Deps, 'processor'>): Promise<CheckResult[]> {
  if (!processor.hasPlatform)
    return [passed('Card processor: each organization uses its own Stripe keys.')];
  const startedAt = Date.now();
  try {
    const processorTime = await processor.getServerTime();
    // This assumes that Stripe read its clock halfway through the request. The `Date` header is
    // truncated to seconds, so it is 500 ms early on average.
    const localTimeMs = (startedAt + Date.now()) / 2 - 500;
    const mode = processor.livemode ? 'live: real money moves' : 'test: no money moves';
    return [
      passed(`Card processor: the secret key is valid (${mode}).`),
      checkClock(localTimeMs - processorTime.getTime()),
    ];
  } catch (error) {
    if (processor.usesSandbox) return [sandboxFailure(processor.scriptUrl)];
    const fix = 'Check STRIPE_SECRET_KEY and the network connection.';
    return [failure(`Card processor: ${formatError(error)}`, fix)];
  }
}

/** Without Stripe keys, the usual cause is a demo that runs on other ports. */
const sandboxFailure = (scriptUrl: string) =>
  failure(
    `Card processor: no sandbox responds at ${new URL(scriptUrl).origin}.`,
    `Start it with \`npm start\`, or set SANDBOX_URL to the address that \`npm start\` prints. For Stripe, set ${STRIPE_VARIABLES.join(', ')}.`,
  );

function checkClock(skewMs: number): CheckResult {
  const seconds = Math.round(skewMs / 1000);
  const message = `Clock: ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the card processor’s clock.`;
  const fix = 'Synchronize the clock of this machine (NTP).';
  if (Math.abs(seconds) > MAX_SKEW_SECONDS) return failure(message, fix);
  return Math.abs(seconds) > WARN_SKEW_SECONDS ? warning(message, fix) : passed(message);
}

/** Checks that Stripe is configured to send a platform's events to this service and that they arrive. */
export async function checkEvents(deps: Deps): Promise<CheckResult[]> {
  if (!deps.processor.hasPlatform) return [];
  const address = `${deps.baseUrl}/processor-events`;
  return [await checkReachable(address), await checkRegistration(deps, address)];
}

async function checkReachable(address: string): Promise<CheckResult> {
  const fix = 'Start the service, and set API_BASE_URL to its public URL.';
  try {
    const response = await fetch(address, { method: 'POST', body: '{}', redirect: 'manual' });
    const isThisService =
      response.status === 400 && (await response.text()).includes('Stripe-Signature');
    if (isThisService)
      return passed(`Stripe events: ${address} is reachable and rejects unsigned requests.`);
    return failure(
      `Stripe events: ${address} responded ${response.status} and is not this service.`,
      fix,
    );
  } catch (error) {
    return failure(
      `Stripe events: ${address} cannot be reached from this machine: ${formatError(error)}`,
      fix,
    );
  }
}

async function checkRegistration({ db, processor }: Deps, address: string): Promise<CheckResult> {
  try {
    const ownEndpoints = (await processor.listWebhookEndpoints()).filter(
      ({ url }) => url === address,
    );
    const endpoint = ownEndpoints.find(({ connected }) => connected) ?? ownEndpoints[0];
    if (endpoint) return checkWebhookEndpoint(endpoint);
  } catch (error) {
    return warning(
      `Stripe events: the webhook endpoints at Stripe could not be listed: ${formatError(error)}`,
      '',
    );
  }
  const last = await acrossOrganizations(db)
    .selectFrom('processor_event')
    .select('received_at')
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last) {
    const at = formatDate(last.received_at, 'exact', { timeZone: 'UTC', locale: 'en-US' });
    return passed(`Stripe events: received, the latest at ${at}.`);
  }
  const fix = `In Stripe, send events of connected accounts to ${address}.`;
  return warning('Stripe events: none received yet, and the endpoint is not registered.', fix);
}

function checkWebhookEndpoint({ enabled, types, connected }: StripeWebhookEndpoint): CheckResult {
  const fix =
    'In Stripe, open Developers › Webhooks, enable the endpoint and select these event types.';
  if (!enabled) return failure('Stripe events: the endpoint is registered, but disabled.', fix);
  const missing = types.includes('*')
    ? []
    : [...HANDLERS.keys()].filter((type) => !types.includes(type));
  if (missing.length > 0)
    return failure(`Stripe events: the endpoint does not receive ${missing.join(', ')}.`, fix);
  if (connected) return passed('Stripe events: the endpoint receives all required event types.');
  return warning(
    'Stripe events: the endpoint seems to receive events of your own account only.',
    CONNECTED_ACCOUNTS_FIX,
  );
}
