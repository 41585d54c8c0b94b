import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectError } from '@connect-embed/contract';
import Stripe from 'stripe';
import type { ProcessorConfig } from '../../config.ts';
import { currentDeadline } from './deadline.ts';
import { toConnectError } from './errors.ts';

/** Timeout of one attempt. Two attempts fit into the total of 10 s. */
const TIMEOUT_MS = 4_500;
const NETWORK_RETRIES = 1;
/**
 * Delays before a call that Stripe rejected with 429 is retried. The `stripe` package does not
 * retry 429.
 */
const BACK_OFF_MS = [150, 400, 900];

/** The official Stripe client, with one function for calls and two for lists. */
export interface Client {
  stripe: Stripe;
  /**
   * Makes a call to Stripe and retries it on 429. The time limit is 10 s, or what remains of the
   * limit that several calls share: `deadline.ts`.
   *
   * @throws {ConnectError} the error of Stripe, mapped to one for our API's clients
   */
  call<Result>(operation: () => Promise<Result>): Promise<Result>;
  /** Yields the items of a list page by page, newest first. Each page is a separate call. */
  pages<Item extends { id: string }>(read: ReadPage<Item>): AsyncGenerator<Item>;
  /** Returns a whole list. Only for lists that are always short. */
  listAll<Item extends { id: string }>(read: ReadPage<Item>): Promise<Item[]>;
}

/** Fetches the page after an item, or the first page. */
type ReadPage<Item> = (after: {
  limit: number;
  starting_after?: string;
}) => Promise<{ data: Item[]; has_more: boolean }>;

export function createClient(config: ProcessorConfig): Client {
  const stripe = new Stripe(config.secretKey, {
    ...config.address,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
  });
  return { stripe, call, pages, listAll };
}

async function call<Result>(operation: () => Promise<Result>): Promise<Result> {
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

/** Rejects after `ms` and ignores a later result. */
async function withTimeout<Result>(ms: number, result: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const message = 'The card processor did not respond in time.';
    const timeoutError = new ConnectError('unavailable', message, {
      code: 'processor_unavailable',
    });
    timer = setTimeout(() => reject(timeoutError), ms);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

async function* pages<Item extends { id: string }>(read: ReadPage<Item>): AsyncGenerator<Item> {
  let last: string | undefined;
  for (;;) {
    const pageParams = { limit: 100, ...(last && { starting_after: last }) };
    const { data, has_more } = await call(() => read(pageParams));
    yield* data;
    last = data.at(-1)?.id;
    if (!has_more || last === undefined) return;
  }
}

async function listAll<Item extends { id: string }>(read: ReadPage<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages(read)) items.push(item);
  return items;
}
