import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { rejectOnAbort } from '../lib/lease-worker.ts';
import { describeDeliveryError } from './delivery-error.ts';
import type { PublicHosts } from './public-host.ts';
import { readRetryAfter } from './retry-schedule.ts';
import type { SignedHeaders } from './sign.ts';
import type { SsrfSafeAgent } from './ssrf-safe-agent.ts';

/** Timeout of an attempt, including the whole response body. */
export const ATTEMPT_TIMEOUT_MS = 20_000;
/** Bytes of the response body that are read at most. None of it is stored. */
const MAX_RESPONSE_BYTES = 64 * 1024;

export interface Outcome {
  startedAt: Date;
  durationMs: number;
  /** HTTP status of the response; null if there was none. */
  status: number | null;
  /** Null if delivered. Shown to the endpoint's owner: contains no address and no text of the response. */
  error: string | null;
  retryAfterMs: number;
}

interface SignedRequest {
  url: string;
  headers: SignedHeaders;
  body: string;
}

interface SenderOptions {
  hosts: PublicHosts;
  agent: SsrfSafeAgent;
  timeoutMs?: number | undefined;
}

/** Makes one attempt. Throws only if `signal` aborts it. */
export type Send = (signedRequest: SignedRequest, signal?: AbortSignal) => Promise<Outcome>;

/**
 * Creates a sender that POSTs events. A response with status 2xx counts as delivered, whatever its body is;
 * redirects are not followed.
 */
export const createSender =
  ({ hosts, agent, timeoutMs = ATTEMPT_TIMEOUT_MS }: SenderOptions): Send =>
  async ({ url, headers, body }, signal) => {
    const startedAt = new Date();
    const started = performance.now();
    // In place of `AbortSignal.timeout`, whose timer would stay until the timeout of every attempt.
    const aborting = new AbortController();
    const timer = setTimeout(() => aborting.abort(TIMED_OUT), timeoutMs);
    const abort = () => aborting.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const toOutcome = (outcome: Pick<Outcome, 'status' | 'error'> & { retryAfterMs?: number }) => {
      const durationMs = Math.round(performance.now() - started);
      return { startedAt, durationMs, retryAfterMs: 0, ...outcome };
    };
    let status: number | null = null;
    try {
      hosts.parseAllowedUrl(url); // Checked again, because the rule may be stricter than at registration.
      const request = agent.request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': USER_AGENT },
        signal: aborting.signal,
      });
      request.on('error', () => {}); // After the response, an error changes nothing.
      const responsePromise = once(request.end(body), 'response') as Promise<[IncomingMessage]>;
      // Node ignores the signal while connecting.
      const [response] = await Promise.race([responsePromise, rejectOnAbort(aborting.signal)]);
      status = response.statusCode!;
      await readToLimit(response);
      if (status >= 200 && status < 300) return toOutcome({ status, error: null });
      const retryAfterMs = readRetryAfter(response.headers['retry-after'], new Date());
      return toOutcome({ status, error: describeStatus(status), retryAfterMs });
    } catch (thrown) {
      if (signal?.aborted) throw thrown;
      const seconds = timeoutMs / 1000;
      const message = `No response within ${seconds} seconds.`;
      const hasTimedOut = aborting.signal.reason === TIMED_OUT;
      return toOutcome({ status, error: hasTimedOut ? message : describeDeliveryError(thrown) });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  };

/**
 * Reads a body up to the limit, so that the connection can be reused. The status has decided: a body that is
 * too long, incomplete, or does not fit its `Content-Length` changes nothing.
 */
async function readToLimit(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) return; // This closes the connection.
    }
  } catch {
    // The body is incomplete or was aborted.
  }
}

const TIMED_OUT = new Error('The attempt has timed out.');

const USER_AGENT = 'Connect-Webhooks/1.0';

const describeStatus = (status: number) =>
  status >= 300 && status < 400
    ? `The endpoint responded ${status}. Redirects are not followed.`
    : `The endpoint responded ${status}.`;
