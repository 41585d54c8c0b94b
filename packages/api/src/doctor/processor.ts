import { formatDate } from '@connect-embed/contract';
import type { Deps } from '../env.ts';
import { formatError } from '../format-error.ts';
import { HANDLERS } from '../processor-events/handlers.ts';
import type { StripeWebhookEndpoint } from '../processor/health.ts';
import { ok, warning, failure, type CheckResult } from './check-result.ts';

const CONNECTED_ACCOUNTS_FIX =
  'In Stripe, make an endpoint for events of connected accounts, and set its STRIPE_WEBHOOK_SECRET.';

/** With a larger difference, signatures of webhook events are rejected, here and by Stripe. */
const MAX_SKEW_SECONDS = 300;
const WARN_SKEW_SECONDS = 30;

/** Checks that Stripe accepts our secret key and that the clocks agree. */
export async function checkProcessor({
  processor,
}: Pick<Deps, 'processor'>): Promise<CheckResult[]> {
  const startedAt = Date.now();
  try {
    const processorTime = await processor.getServerTime();
    // Assumes that Stripe read its clock halfway through the request. Its `Date` header is
    // truncated to seconds, which loses 500 ms on average.
    const localTimeMs = (startedAt + Date.now()) / 2 - 500;
    const mode = processor.livemode ? 'live: real money moves' : 'test: no money moves';
    return [
      ok(`Card processor: it takes the key (${mode}).`),
      clock(localTimeMs - processorTime.getTime()),
    ];
  } catch (error) {
    const fix = 'Check STRIPE_SECRET_KEY (or that the sandbox runs), and the way to it.';
    return [failure(`Card processor: ${formatError(error)}`, fix)];
  }
}

function clock(skewMs: number): CheckResult {
  const seconds = Math.round(skewMs / 1000);
  const message = `Clock: ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the card processor’s.`;
  const fix = 'Let the machine set its clock from the network (NTP).';
  if (Math.abs(seconds) > MAX_SKEW_SECONDS) return failure(message, fix);
  return Math.abs(seconds) > WARN_SKEW_SECONDS ? warning(message, fix) : ok(message);
}

/** Checks that Stripe is configured to send events to this service and that they arrive. */
export async function checkEvents(deps: Deps): Promise<CheckResult[]> {
  const address = `${deps.baseUrl}/processor-events`;
  return [await checkReachable(address), await checkRegistered(deps, address)];
}

async function checkReachable(address: string): Promise<CheckResult> {
  const fix = 'Start the service, and let API_BASE_URL be where others reach it.';
  try {
    const response = await fetch(address, { method: 'POST', body: '{}', redirect: 'manual' });
    const isOurs = response.status === 400 && (await response.text()).includes('Stripe-Signature');
    if (isOurs) return ok(`Events: ${address} answers, and believes nobody without a signature.`);
    return failure(`Events: ${address} answers ${response.status}, and is not this service.`, fix);
  } catch (error) {
    return failure(`Events: ${address} cannot be reached from here: ${formatError(error)}`, fix);
  }
}

async function checkRegistered({ db, processor }: Deps, address: string): Promise<CheckResult> {
  try {
    const here = (await processor.listWebhookEndpoints()).filter(({ url }) => url === address);
    const found = here.find(({ connected }) => connected) ?? here[0];
    if (found) return checkEventAddress(found);
  } catch (error) {
    return warning(
      `Events: the processor does not list where it sends them: ${formatError(error)}`,
      '',
    );
  }
  const last = await db
    .selectFrom('processor_event')
    .select('received_at')
    .orderBy('received_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last) {
    const at = formatDate(last.received_at, 'exact', { timeZone: 'UTC', locale: 'en-US' });
    return ok(`Events: they arrive, the last at ${at}.`);
  }
  const fix = `In Stripe, send events of connected accounts to ${address}.`;
  return warning('Events: none has arrived yet, and the address is not registered.', fix);
}

function checkEventAddress({ enabled, types, connected }: StripeWebhookEndpoint): CheckResult {
  const fix = 'In Stripe, Developers › Webhooks: enable it, and choose these types.';
  if (!enabled) return failure('Events: the address is registered, but switched off.', fix);
  const missing = types.includes('*')
    ? []
    : [...HANDLERS.keys()].filter((type) => !types.includes(type));
  if (missing.length > 0) return failure(`Events: not registered for ${missing.join(', ')}.`, fix);
  if (connected) return ok('Events: the address is registered for all that matter.');
  return warning(
    'Events: the address seems to be told of the platform’s own account only.',
    CONNECTED_ACCOUNTS_FIX,
  );
}
