import { formatDate } from '@connect-embed/contract';
import type { Deps } from '../env.ts';
import { formatError } from '../format-error.ts';
import { HANDLERS } from '../processor-events/handlers.ts';
import type { StripeWebhookEndpoint } from '../processor/health.ts';
import { right, unsure, wrong, type Finding } from './finding.ts';

const OF_OTHERS =
  'In Stripe, make an endpoint for events of connected accounts, and set its STRIPE_WEBHOOK_SECRET.';

/** Beyond this an event's signature is refused, here and at the processor. */
const WRONG_SECONDS = 300;
const UNSURE_SECONDS = 30;

/** The processor takes our key, and its clock is ours. */
export async function checkProcessor({ processor }: Pick<Deps, 'processor'>): Promise<Finding[]> {
  const askedAt = Date.now();
  try {
    const theirs = await processor.getServerTime();
    // Half of the time is taken for the way there; the header's seconds are cut off.
    const ours = (askedAt + Date.now()) / 2 - 500;
    const mode = processor.livemode ? 'live: real money moves' : 'test: no money moves';
    return [right(`Card processor: it takes the key (${mode}).`), clock(ours - theirs.getTime())];
  } catch (error) {
    const todo = 'Check STRIPE_SECRET_KEY (or that the sandbox runs), and the way to it.';
    return [wrong(`Card processor: ${formatError(error)}`, todo)];
  }
}

function clock(skewMs: number): Finding {
  const seconds = Math.round(skewMs / 1000);
  const what = `Clock: ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the card processor’s.`;
  const todo = 'Let the machine set its clock from the network (NTP).';
  if (Math.abs(seconds) > WRONG_SECONDS) return wrong(what, todo);
  return Math.abs(seconds) > UNSURE_SECONDS ? unsure(what, todo) : right(what);
}

/** The processor is told where to send events, and they arrive. */
export async function checkEvents(deps: Deps): Promise<Finding[]> {
  const address = `${deps.baseUrl}/processor-events`;
  return [await checkReachable(address), await checkRegistered(deps, address)];
}

async function checkReachable(address: string): Promise<Finding> {
  const todo = 'Start the service, and let API_BASE_URL be where others reach it.';
  try {
    const answer = await fetch(address, { method: 'POST', body: '{}', redirect: 'manual' });
    const ours = answer.status === 400 && (await answer.text()).includes('Stripe-Signature');
    if (ours) return right(`Events: ${address} answers, and believes nobody without a signature.`);
    return wrong(`Events: ${address} answers ${answer.status}, and is not this service.`, todo);
  } catch (error) {
    return wrong(`Events: ${address} cannot be reached from here: ${formatError(error)}`, todo);
  }
}

async function checkRegistered({ db, processor }: Deps, address: string): Promise<Finding> {
  try {
    const here = (await processor.listWebhookEndpoints()).filter(({ url }) => url === address);
    const found = here.find(({ connected }) => connected) ?? here[0];
    if (found) return addressFinding(found);
  } catch (error) {
    return unsure(
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
    return right(`Events: they arrive, the last at ${at}.`);
  }
  const todo = `In Stripe, send events of connected accounts to ${address}.`;
  return unsure('Events: none has arrived yet, and the address is not registered.', todo);
}

function addressFinding({ enabled, types, connected }: StripeWebhookEndpoint): Finding {
  const todo = 'In Stripe, Developers › Webhooks: enable it, and choose these types.';
  if (!enabled) return wrong('Events: the address is registered, but switched off.', todo);
  const missing = types.includes('*')
    ? []
    : [...HANDLERS.keys()].filter((type) => !types.includes(type));
  if (missing.length > 0) return wrong(`Events: not registered for ${missing.join(', ')}.`, todo);
  if (connected) return right('Events: the address is registered for all that matter.');
  return unsure(
    'Events: the address seems to be told of the platform’s own account only.',
    OF_OTHERS,
  );
}
