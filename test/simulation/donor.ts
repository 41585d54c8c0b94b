import { randomUUID } from 'node:crypto';
import type { PaymentIntent, PaymentIntentStatus } from '@connect-embed/contract';
import { NoResponse } from './api-process.ts';
import type { SimulatedSystem } from './simulated-system.ts';

/** Statuses after which a browser sends the same request again. */
const RETRIED = [409, 429, 503];
/** One in this many donors pays by bank debit, of which half are returned. */
const DONORS_PER_DEBIT = 4;
/** Time until the bank answers a debit. */
const MAX_DEBIT_MS = 20_000;
/** A donor who gets no payment intent in this many attempts gives up. */
const MAX_ATTEMPTS = 12;

/** What a donor has seen until the end of the history. */
export interface DonorResult {
  idempotencyKey: string;
  amountCents: number;
  /** Undefined if the donor gave up, or closed the browser, before the card form was shown. */
  intent?: PaymentIntent;
  /** Whether the donor has confirmed the payment at the processor, which has accepted it. */
  hasPaid: boolean;
  /** Whether the form has shown that the donation succeeded or is on its way, or that the debit was returned. */
  hasSeenOutcome: boolean;
  /** Whether the donor pays by bank debit. */
  isDebit: boolean;
  /** Whether the bank has returned the debit. */
  isReturned: boolean;
  hasClosedBrowser: boolean;
}

interface DonorOptions {
  system: SimulatedSystem;
  name: string;
  amountCents: number;
  token: string;
}

/**
 * A donor with a browser: requests a payment intent, as often as necessary, pays at the processor, and
 * reads the status until it is final.
 */
export async function donate({
  system,
  name,
  amountCents,
  token,
}: DonorOptions): Promise<DonorResult> {
  const { faults, clock, random, ledger } = system;
  const result: DonorResult = {
    idempotencyKey: randomUUID(),
    amountCents,
    hasPaid: false,
    hasSeenOutcome: false,
    isDebit: random.below(DONORS_PER_DEBIT) === 0,
    isReturned: false,
    hasClosedBrowser: false,
  };
  const closesBrowser = () => (result.hasClosedBrowser = faults.happens('closedBrowser'));

  const create = async (): Promise<PaymentIntent | undefined> => {
    const response = await request(system, name, token, '/payment-intents', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': result.idempotencyKey },
      body: JSON.stringify({
        amount_cents: amountCents,
        donor_email: `${name}@example.org`,
        donor_name: name,
      }),
    });
    if (response?.status === 201) return response.body as PaymentIntent;
    if (response && !RETRIED.includes(response.status)) {
      system.fail(`${name} got ${response.status} ${JSON.stringify(response.body)}`);
    }
    return undefined;
  };

  await clock.sleep(random.below(20_000));
  for (let attempt = 0; !result.intent && attempt < MAX_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await clock.sleep(1000 + random.below(3000));
    if (closesBrowser()) return result;
    const submits = faults.happens('doubleSubmit') ? [create(), create()] : [create()];
    const [intent, other] = (await Promise.all(submits)).filter((each) => each !== undefined);
    if (!intent) continue;
    result.intent = intent;
    if (other && other.payment_intent_id !== intent.payment_intent_id) {
      system.fail(`${name} got two payment intents`);
    }
  }
  if (!result.intent || closesBrowser()) return result;

  const id = result.intent.payment_intent_id;
  await clock.sleep(random.below(10_000));
  if (faults.happens('declinedCard')) {
    await system.atProcessor(`${name}'s card is declined`, () => ledger.decline(id));
    await clock.sleep(random.below(10_000));
    if (closesBrowser()) return result;
  }
  const pay = () => system.atProcessor(`${name} pays`, () => ledger.pay(id));
  /** The bank answers, whether the browser is open or closed. Some donors pay a returned debit with a card. */
  const settleDebit = async (): Promise<void> => {
    await clock.sleep(random.below(MAX_DEBIT_MS));
    if (random.below(2) === 0) return await pay();
    result.isReturned = true;
    await system.atProcessor(`${name}'s debit is returned`, () => ledger.returnDebit(id));
    await clock.sleep(random.below(MAX_DEBIT_MS));
    if (random.below(2) === 0) await pay();
  };

  let debit: Promise<void> | undefined;
  if (result.isDebit) {
    await system.atProcessor(`${name} confirms a bank debit`, () => ledger.debit(id));
    debit = settleDebit();
  } else await pay();
  result.hasPaid = true;

  const readStatus = async (): Promise<void> => {
    await clock.sleep(2000 + random.below(2000));
    if (closesBrowser()) return;
    const response = await request(system, name, token, `/payment-intents/${id}`);
    if (response?.status === 200) {
      const { status, donation_id } = response.body as PaymentIntentStatus;
      if (status === 'succeeded') await system.checkShown(name, id, donation_id);
      if (status === 'processing' && !result.isDebit) system.fail(`${name} waits for no debit`);
      // Until the event of the debit arrives, a card that was declined before it is shown.
      const isReturned = status === 'failed' && result.isReturned;
      result.hasSeenOutcome = ['succeeded', 'processing'].includes(status) || isReturned;
    } else if (response && ![404, ...RETRIED].includes(response.status)) {
      // 404: the process crashed before it saved the payment intent, and no event has arrived yet.
      system.fail(`${name} got the status ${response.status} ${JSON.stringify(response.body)}`);
    }
  };
  while (!result.hasSeenOutcome && !result.hasClosedBrowser) await readStatus();
  await debit;
  return result;
}

/** Sends a request to one of the processes. @returns undefined if there is no response */
async function request(
  system: SimulatedSystem,
  name: string,
  token: string,
  path: string,
  { headers, ...init }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const { faults } = system;
  const travel = (what: string, fault: 'lostRequest' | 'lostResponse') =>
    system.step(`${name}: ${what} of ${init.method ?? 'GET'} /payment-intents`, async () => {
      if (faults.happens(fault)) throw new NoResponse();
    });
  try {
    await travel('request', 'lostRequest');
    const authorization = `Bearer ${token}`;
    const response = await system
      .anyProcess()
      .fetch(`/api/v1${path}`, { ...init, headers: { ...headers, authorization } });
    await travel('response', 'lostResponse');
    return response;
  } catch (error) {
    if (error instanceof NoResponse) return undefined;
    throw error;
  }
}
