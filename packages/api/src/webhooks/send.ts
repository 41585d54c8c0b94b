import { type Dispatcher, request } from 'undici';
import { describeDeliveryError } from './delivery-error.ts';
import type { PublicHosts } from './public-host.ts';
import { readRetryAfter } from './retry-schedule.ts';
import type { SignedHeaders } from './sign.ts';

/** A receiver has so long for its whole answer, however slowly that drips. */
export const ATTEMPT_TIMEOUT_MS = 20_000;
/** What it says beyond this is not read; nothing of it is kept in any case. */
export const MAX_RESPONSE_BYTES = 64 * 1024;

/** What came of one attempt. */
export interface Outcome {
  startedAt: Date;
  durationMs: number;
  /** Null when no answer came. */
  status: number | null;
  /** Null when the notice was taken. Fit for the endpoint's owner: no address, no word of the answer. */
  error: string | null;
  retryAfterMs: number;
}

export interface SignedRequest {
  url: string;
  headers: SignedHeaders;
  body: string;
}

export interface SenderOptions {
  hosts: PublicHosts;
  dispatcher: Dispatcher;
  timeoutMs?: number | undefined;
}

/** Makes one attempt. It never throws, but for an attempt that `signal` ended. */
export type Send = (signedRequest: SignedRequest, signal?: AbortSignal) => Promise<Outcome>;

/** Only 2xx takes a notice; redirects are not followed. */
export const createSender =
  ({ hosts, dispatcher, timeoutMs = ATTEMPT_TIMEOUT_MS }: SenderOptions): Send =>
  async ({ url, headers, body }, signal) => {
    const startedAt = new Date();
    const started = performance.now();
    const timeout = AbortSignal.timeout(timeoutMs);
    const combinedSignal = signal ? AbortSignal.any([timeout, signal]) : timeout;
    const toOutcome = (outcome: Pick<Outcome, 'status' | 'error'> & { retryAfterMs?: number }) => {
      const durationMs = Math.round(performance.now() - started);
      return { startedAt, durationMs, retryAfterMs: 0, ...outcome };
    };
    let status: number | null = null;
    try {
      hosts.parseAllowedUrl(url); // The rule may have become stricter since it was registered.
      const responsePromise = request(url, {
        dispatcher,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': USER_AGENT },
        body,
        signal: combinedSignal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      // While it still connects, undici does not look at the signal.
      const response = await Promise.race([responsePromise, rejectOnAbort(combinedSignal)]);
      status = response.statusCode;
      const retryAfter = [response.headers['retry-after']].flat()[0];
      await discard(response.body);
      if (status >= 200 && status < 300) return toOutcome({ status, error: null });
      const retryAfterMs = readRetryAfter(retryAfter, new Date());
      return toOutcome({ status, error: describeStatus(status), retryAfterMs });
    } catch (thrown) {
      if (signal?.aborted) throw thrown;
      const seconds = timeoutMs / 1000;
      const message = `No complete answer within ${seconds} seconds.`;
      return toOutcome({
        status,
        error: timeout.aborted ? message : describeDeliveryError(thrown),
      });
    }
  };

const USER_AGENT = 'Connect-Webhooks/1.0';

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

/** Reads to the end, so that the connection can serve again, unless the end is too far away. */
async function discard(body: AsyncIterable<Uint8Array>): Promise<void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) break; // Which closes the connection.
  }
}

const describeStatus = (status: number) =>
  status >= 300 && status < 400
    ? `The endpoint answered ${status}; redirects are not followed.`
    : `The endpoint answered ${status}.`;
