import type { CDPSession, Page } from 'playwright';
import { storedItemsOf } from '../e2e/support/stored-items.ts';

/** Added latency of every request, to detect which requests wait for others. */
const LATENCY_MS = 150;

/** A request to a server, or its preflight; times are in seconds. */
interface Exchange {
  origin: string;
  from: number;
  until: number;
  /** Length of the response on the wire, with its headers. */
  bytes: number;
}

interface EndOfExchange {
  requestId: string;
  timestamp: number;
  encodedDataLength?: number;
}

interface PageLoad {
  /** Requests to our server before the form is drawn. */
  requests: number;
  /** Bytes of all responses from our server, also after the form is drawn, while nobody uses it. */
  bytes: number;
  /** The longest chain of requests that wait for each other, until the form is drawn. */
  roundTrips: number;
  /** The same after the script is loaded. */
  roundTripsAfterScript: number;
  /**
   * Third-party origins that received requests, and items that were stored in the browser, before a
   * donor acts.
   */
  foreign: string[];
  storedItems: string[];
}

/** Opens a page of another origin as on a first visit, and records its requests. */
export async function measurePageLoad(
  page: Page,
  address: string,
  server: string,
): Promise<PageLoad> {
  const cdp = await page.context().newCDPSession(page);
  const exchanges = await listen(cdp);
  const ready = page.waitForEvent('console', (line) => line.text() === 'drawn');
  await page.addInitScript(() => addEventListener('connect-ready', () => console.log('drawn')));
  await page.goto(address);
  await ready;
  const toServer = () => [...exchanges.values()].filter(({ origin }) => origin === server);
  const before = toServer().filter(({ until }) => until < Infinity);
  await page.waitForLoadState('networkidle');
  const bytes = toServer().reduce((sum, exchange) => sum + exchange.bytes, 0);
  const ownOrigins = new Set([new URL(address).origin, server, 'null']);
  const foreign = [...exchanges.values()]
    .map(({ origin }) => origin)
    .filter((item) => !ownOrigins.has(item));
  const [, ...afterScript] = before.toSorted((one, other) => one.until - other.until);
  return {
    requests: before.length,
    bytes,
    roundTrips: longestChain(before),
    roundTripsAfterScript: longestChain(afterScript),
    foreign,
    storedItems: await storedItemsOf(page),
  };
}

async function listen(cdp: CDPSession): Promise<ReadonlyMap<string, Exchange>> {
  const exchanges = new Map<string, Exchange>();
  const preflightFor = new Map<string, string>();
  cdp.on('Network.requestWillBeSent', ({ requestId, request, timestamp, initiator }) => {
    const { origin } = new URL(request.url);
    exchanges.set(requestId, { origin, from: timestamp, until: Infinity, bytes: 0 });
    if (initiator.type === 'preflight') preflightFor.set(requestId, initiator.requestId!);
  });
  const end = ({ requestId, timestamp, encodedDataLength = 0 }: EndOfExchange) => {
    const exchange = exchanges.get(requestId);
    if (exchange) Object.assign(exchange, { until: timestamp, bytes: encodedDataLength });
    // A request with a preflight is sent once the preflight has ended.
    const preflighted = exchanges.get(preflightFor.get(requestId) ?? '');
    if (preflighted) preflighted.from = timestamp;
  };
  cdp.on('Network.loadingFinished', end);
  cdp.on('Network.loadingFailed', end);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  return exchanges;
}

function longestChain(exchanges: readonly Exchange[]): number {
  const lengths: number[] = [];
  const inOrder = exchanges.toSorted((one, other) => one.from - other.from);
  for (const [at, { from }] of inOrder.entries()) {
    const before = inOrder
      .slice(0, at)
      .map(({ until }, index) => (until <= from ? lengths[index]! : 0));
    lengths.push(1 + Math.max(0, ...before));
  }
  return Math.max(0, ...lengths);
}
