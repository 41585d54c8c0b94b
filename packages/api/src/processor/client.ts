import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectError } from '@connect-embed/contract';
import Stripe from 'stripe';
import type { ProcessorConfig } from '../config.ts';
import { currentDeadline } from './deadline.ts';
import { toConnectError } from './errors.ts';

/** One attempt, and the one repetition of it, fit into the ten seconds that callers wait. */
const TIMEOUT_MS = 4_500;
const NETWORK_RETRIES = 1;
/** Waits before a call that the processor refused with 429 is made again; stripe never does. */
const BACK_OFF_MS = [150, 400, 900];

/** The client, and the one way in which it is called. */
export interface Client {
  stripe: Stripe;
  /**
   * Makes a call, again after a while where the processor is too busy, within ten seconds; or within
   * what is left of them where it is one of several: `deadline.ts`.
   *
   * @throws {ConnectError} what the processor's failure means to our caller
   */
  call<Result>(operation: () => Promise<Result>): Promise<Result>;
  /** Reads a list page by page, newest first; each page is a call of its own. */
  pages<Item extends { id: string }>(read: ReadPage<Item>): AsyncGenerator<Item>;
  /** A whole list at once, for what is never long. */
  listAll<Item extends { id: string }>(read: ReadPage<Item>): Promise<Item[]>;
}

/** Reads the page behind an item, or the first. */
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
  for (let tries = 0; ; tries += 1) {
    try {
      return await withTimeout(deadline - performance.now(), operation());
    } catch (error) {
      const waitMs = (BACK_OFF_MS[tries] ?? Infinity) * (0.5 + Math.random());
      const busy = error instanceof Stripe.errors.StripeRateLimitError;
      if (!busy || performance.now() + waitMs > deadline) throw toConnectError(error);
      await sleep(waitMs);
    }
  }
}

/** Waits so long and no longer; what comes later is nobody's. */
async function withTimeout<Result>(ms: number, result: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const message = 'The card processor did not answer in time.';
    timer = setTimeout(() => reject(new ConnectError('unavailable', message)), ms);
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
