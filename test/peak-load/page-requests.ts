import { SITE } from '../faults/support/service-plans.ts';
import { METRICS_TOKEN } from './system.ts';

/** A request that a page with a form sends to the BFF before the form is drawn. */
interface PageRequest {
  name: string;
  path: string;
  cacheControl: string;
  /** How long a cache in front of the BFF may keep the response; 0 if it may not. */
  cacheSeconds: number;
}

/** A page request, and how many of them one core serves in a second. */
export interface PageRequestCost extends PageRequest {
  perCore: number;
}

const MEASURED_MS = 2000;
const CONCURRENCY = 8;
/** Beyond this many open requests, this process is too slow to send more. */
const MAX_OPEN = 400;

/** Finds what a page view requests: the script, the two chunks that draw the form, and the form. */
async function findPageRequests(server: string, form: string): Promise<PageRequest[]> {
  const script = await (await fetch(`${server}/connect.js`)).text();
  const [base] = /base-[\w-]+\.js/.exec(script) ?? [];
  const [part] = /donate-[\w-]+\.js/.exec(script) ?? [];
  if (!base || !part)
    throw new Error(`connect.js names no chunks of the form: ${script.slice(0, 200)}`);
  const requests = [
    { name: 'the script, connect.js', path: '/connect.js' },
    { name: 'its shared part, base-….js', path: `/${base}` },
    { name: 'its part for forms, donate-….js', path: `/${part}` },
    { name: 'the form, GET /embed-form', path: `/embed-form?form=${form}` },
  ];
  return await Promise.all(
    requests.map(async (request) => {
      const response = await send(server, request);
      const cacheControl = response.headers.get('cache-control') ?? '';
      const [, seconds = 0] = /^public, max-age=(\d+)/.exec(cacheControl) ?? [];
      return { ...request, cacheControl, cacheSeconds: Number(seconds) };
    }),
  );
}

/** Measures the CPU time of one BFF process for each request of a page. */
export async function measurePageRequests(server: string, form: string) {
  const costs: PageRequestCost[] = [];
  for (const request of await findPageRequests(server, form)) {
    await sendRepeatedly(server, request); // Warms up.
    const before = await readCpuSeconds(server);
    const count = await sendRepeatedly(server, request);
    const perCore = count / ((await readCpuSeconds(server)) - before);
    costs.push({ ...request, perCore });
  }
  return costs;
}

async function sendRepeatedly(server: string, request: PageRequest): Promise<number> {
  const end = performance.now() + MEASURED_MS;
  let count = 0;
  const sendInTurn = async () => {
    for (; performance.now() < end; count += 1) await send(server, request);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendInTurn));
  return count;
}

async function readCpuSeconds(server: string): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const metrics = await (await fetch(`${server}/metrics`, { headers })).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)![1]);
}

/** @throws {Error} if there is no response, or one outside 2xx */
async function send(server: string, { path }: Pick<PageRequest, 'path'>) {
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(server + path, { headers: { origin: SITE }, signal });
  const body = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`);
  return response;
}

/** Page views at a constant rate, through a cache that keeps what the headers allow. */
export class PageViews {
  readonly counts = { cached: 0, sent: 0, failed: 0, skipped: 0 };
  readonly #server: string;
  readonly #requests: readonly PageRequest[];
  readonly #cachedUntil = new Map<string, number>();
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  #views = 0;
  #open = 0;

  constructor(server: string, requests: readonly PageRequest[], requestsPerSecond: number) {
    this.#server = server;
    this.#requests = requests;
    const viewsPerMs = requestsPerSecond / requests.length / 1000;
    this.#timer = setInterval(() => {
      const due = (performance.now() - this.#startedAt) * viewsPerMs;
      for (; this.#views < due; this.#views += 1) this.#view();
    }, 20);
  }

  /** @returns requests a second over all, and those of them that reached the BFF */
  stop() {
    clearInterval(this.#timer);
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const { cached, sent } = this.counts;
    return { perSecond: (cached + sent) / seconds, sentPerSecond: sent / seconds, ...this.counts };
  }

  #view(): void {
    for (const request of this.#requests) {
      const now = performance.now();
      if ((this.#cachedUntil.get(request.path) ?? 0) > now) this.counts.cached += 1;
      else if (this.#open >= MAX_OPEN) this.counts.skipped += 1;
      else {
        if (request.cacheSeconds > 0)
          this.#cachedUntil.set(request.path, now + request.cacheSeconds * 1000);
        void this.#send(request);
      }
    }
  }

  async #send(request: PageRequest): Promise<void> {
    this.#open += 1;
    this.counts.sent += 1;
    await send(this.#server, request).catch(() => {
      this.counts.failed += 1;
      this.#cachedUntil.delete(request.path);
    });
    this.#open -= 1;
  }
}
