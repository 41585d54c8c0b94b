import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import type { ProcessorConfig } from '../../config.ts';
import { currentDeadline } from './deadline.ts';
import { processorUnavailable, toConnectError } from './errors.ts';
import { createHttpClient, type FindOwnKeys, type OnKeysRejected } from './own-keys.ts';

/** Timeout of one HTTP request. Two requests fit into the total limit of 10 s. */
const TIMEOUT_MS = 4_500;
const NETWORK_RETRIES = 1;
/** The `stripe` package requires a key. The HTTP client sends no request with this one. */
const NO_PLATFORM_KEY = 'sk_none';
/**
 * Delays before a call that Stripe rejected with 429 is retried. The `stripe` package does not
 * retry 429.
 */
const BACK_OFF_MS = [150, 400, 900];

/** The official `stripe` client, with what it was created from. */
export interface Client {
  stripe: Stripe;
  config: ProcessorConfig;
  findOwnKeys: FindOwnKeys;
  /** Accounts, modes and ids of products that exist at Stripe, so that they are not created again. */
  existingProducts: Set<string>;
}

/** Fetches the page after the item `starting_after`; without `starting_after`, the first page. */
type ReadPage<Item> = (pageParams: {
  limit: number;
  starting_after?: string;
}) => Promise<{ data: Item[]; has_more: boolean }>;

export function createClient(
  config: ProcessorConfig,
  findOwnKeys: FindOwnKeys = async () => undefined,
  onKeysRejected: OnKeysRejected = async () => {},
): Client {
  const stripe = new Stripe(config.platform?.secretKey ?? NO_PLATFORM_KEY, {
    ...config.address,
    httpClient: createHttpClient(findOwnKeys, onKeysRejected, config.platform !== undefined),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
  });
  return { stripe, config, findOwnKeys, existingProducts: new Set() };
}

/**
 * Makes a call to Stripe and retries the call if Stripe responds 429. The time limit is 10 s;
 * within `withDeadline` it is the remaining time of that deadline.
 *
 * @throws {ConnectError} Stripe's error, mapped to an error of our API
 */
export async function callStripe<Result>(operation: () => Promise<Result>): Promise<Result> {
  const deadline = currentDeadline();
  for (let retries = 0; ; retries += 1) {
    try {
      return await withTimeout(deadline - performance.now(), operation());
    } catch (error) {
      const waitMs = (BACK_OFF_MS[retries] ?? Infinity) * (0.5 + Math.random());
      const isRateLimited = error instanceof Stripe.errors.StripeRateLimitError;
      if (!isRateLimited || performance.now() + waitMs > deadline) throw toConnectError(error);
      await sleep(waitMs);
    }
  }
}

/** Rejects after `ms` milliseconds if the result has not arrived by then. */
async function withTimeout<Result>(ms: number, result: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(processorUnavailable('The card processor did not respond in time.'));
    }, ms);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Yields the pages of a list, newest items first. Each page is a separate call. */
export async function* pages<Item extends { id: string }>(
  read: ReadPage<Item>,
): AsyncGenerator<Item[]> {
  let lastId: string | undefined;
  for (;;) {
    const pageParams = { limit: 100, ...(lastId && { starting_after: lastId }) };
    const { data, has_more } = await callStripe(() => read(pageParams));
    if (data.length > 0) yield data;
    lastId = data.at(-1)?.id;
    if (!has_more || lastId === undefined) return;
  }
}

/** Returns a whole list. Only for lists that are always short. */
export async function listAll<Item extends { id: string }>(read: ReadPage<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages(read)) items.push(...page);
  return items;
}
