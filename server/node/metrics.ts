import type { ClientFetch } from '@connect-embed/contract';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { OnRequest } from '../handled-request.ts';

/** Buckets of the histograms: a script takes milliseconds, a payment up to seconds. */
const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Prometheus metrics of a server in Node: docs/decisions/0108-metrics-and-logs.md
 *
 * @param basePath is removed from the routes, so that dashboards fit every installation
 */
export function createServerMetrics(basePath: string) {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return {
    register,
    onRequest: measureRequests(register, basePath),
    measureFetch: fetchMeter(register),
  };
}

function measureRequests(register: Registry, basePath: string): OnRequest {
  const registers = [register];
  const durations = new Histogram({
    name: 'connect_server_request_duration_seconds',
    help: 'Requests to the server, by route and class of the status.',
    labelNames: ['route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const sessions = new Counter({
    name: 'connect_server_sessions_opened_total',
    help: 'Sessions that pages have opened for visitors who began to use a form.',
    registers,
  });
  const attempts = new Counter({
    name: 'connect_server_payment_attempts_total',
    help: 'Attempts of donors to start a payment, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  // A counter that appears with its first increment would not alert about it.
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  const limited = new Counter({
    name: 'connect_server_rate_limited_requests_total',
    help: 'Requests that were rejected with 429, by route.',
    labelNames: ['route'],
    registers,
  });
  return ({ method, route: pattern, status, seconds }) => {
    const route = basePath === '/' ? pattern : pattern.replace(basePath, '');
    durations.observe({ route, status: `${Math.floor(status / 100)}xx` }, seconds);
    if (status === 429) limited.inc({ route });
    if (method !== 'POST') return;
    if (route === '/embed-sessions' && status === 201) sessions.inc();
    if (route === '/payment-intents') attempts.inc({ outcome: outcomeOf(status) });
  };
}

const OUTCOMES = ['started', 'proof_required', 'rate_limited', 'rejected', 'failed'] as const;

function outcomeOf(status: number): (typeof OUTCOMES)[number] {
  if (status === 201) return 'started';
  // 200 is a challenge in the response, see `challengeInResponse`.
  if (status === 200 || status === 428) return 'proof_required';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'failed' : 'rejected';
}

/** Returns a function that wraps the `fetch` that calls the API. */
function fetchMeter(register: Registry) {
  const durations = new Histogram({
    name: 'connect_server_api_request_duration_seconds',
    help: 'Requests to the Connect API, by class of the status; "none" without a response.',
    labelNames: ['status'],
    buckets: BUCKETS_SECONDS,
    registers: [register],
  });
  return (fetch: ClientFetch): ClientFetch =>
    async (url, init) => {
      const stopTimer = durations.startTimer();
      let status = 'none';
      try {
        const response = await fetch(url, init);
        status = `${Math.floor(response.status / 100)}xx`;
        return response;
      } finally {
        stopTimer({ status });
      }
    };
}
