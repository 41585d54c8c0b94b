import type { Db } from '../db/schema.ts';
import type { ColumnEncrypter } from '../lib/column-encrypter.ts';
import { startLeaseWorker, type LeaseQueue, type LeaseWorker } from '../lib/lease-worker.ts';
import type { WorkerLog } from '../lib/log.ts';
import { LaneClaims, type Claim } from './claim.ts';
import { createDeliveredQueue, isPlainDelivery } from './save-delivered.ts';
import { decryptSecrets } from './secrets.ts';
import { ATTEMPT_TIMEOUT_MS, createSender, type Send } from './send.ts';
import { MAX_ATTEMPTS } from './retry-schedule.ts';
import {
  disableEndpoint,
  failInterruptedDelivery,
  releaseLease,
  saveOutcome,
} from './save-outcome.ts';
import { signEvent } from './sign.ts';
import { createSsrfSafeAgent, type AgentOptions } from './ssrf-safe-agent.ts';
import type { Webhooks } from './webhooks.ts';

/** Poll interval, and so the maximum delay of a new event in an idle worker. */
const POLL_MS = 250;
/** Longer than an attempt and saving its outcome, so that a live worker never loses its lease. */
const LEASE_MS = ATTEMPT_TIMEOUT_MS + 10_000;

/**
 * Two lanes, so that slow and failing endpoints never delay the others. A new endpoint is in the slow
 * lane until it has responded in time.
 *
 * Endpoints that respond quickly may have more than `perEndpoint` attempts while extra slots are free.
 * If many of them begin to hang, the other 128 slots still take at most eight attempts to each endpoint.
 */
const FAST_LANE = { slots: 128, extraSlots: 128, perEndpoint: 8, perQuickEndpoint: 64 };
const SLOW_LANE = { slots: 128, extraSlots: 0, perEndpoint: 1, perQuickEndpoint: 1 };

interface DeliveryQueueDeps {
  db: Db;
  /** Decrypts the signing secrets of endpoints. */
  secretEncrypter: ColumnEncrypter;
  send: Send;
  log: WorkerLog;
  /** Closes the connections of `send` when the worker has stopped. */
  close?: () => Promise<void>;
  now?: () => Date;
  leaseMs?: number;
}

interface DeliveryWorkerOptions extends AgentOptions {
  db: Db;
  webhooks: Webhooks;
  log: WorkerLog;
  /** Private hosts that the configuration allows; a warning is logged. */
  allowHosts: readonly string[];
}

/**
 * Starts a worker that sends the pending deliveries of `webhook_delivery`. Its `stop()` releases the attempts that it
 * aborts, and closes all connections.
 */
export function startDeliveryWorker(options: DeliveryWorkerOptions): LeaseWorker {
  const { db, webhooks, log, allowHosts, ca } = options;
  if (allowHosts.length > 0) {
    const message =
      'WEBHOOK_ALLOW_HOSTS is set: anyone who can create a webhook endpoint can make this process call these private hosts. Never set it in production.';
    log.warn({ hosts: allowHosts }, message);
  }
  const { hosts, secretEncrypter } = webhooks;
  const agent = createSsrfSafeAgent(hosts, { ca });
  const send = createSender({ hosts, agent });
  const close = async () => agent.destroy();
  return startLeaseWorker(deliveryQueue({ db, secretEncrypter, send, log, close }));
}

/** The queue of webhook deliveries: how deliveries are claimed and one attempt is made. */
export function deliveryQueue(deps: DeliveryQueueDeps): LeaseQueue<Claim> {
  const { db, secretEncrypter, send, log, now = () => new Date(), leaseMs = LEASE_MS } = deps;
  const saveDelivered = createDeliveredQueue(db);
  const fastLane = new LaneClaims(db, { ...FAST_LANE, slow: false, leaseMs, now });
  const slowLane = new LaneClaims(db, { ...SLOW_LANE, slow: true, leaseMs, now });

  async function deliver(claim: Claim, signal: AbortSignal): Promise<void> {
    if (claim.disabled) return await disableEndpoint(db, claim, claim.disabled);
    if (claim.attempts - claim.attempts_before_redelivery > MAX_ATTEMPTS) {
      log.warn(logFields(claim), 'webhook delivery failed: its last attempt was interrupted');
      await failInterruptedDelivery(db, claim);
      return;
    }
    const message = { id: claim.event_id, at: now(), body: claim.body };
    const headers = signEvent(await decryptSecrets(secretEncrypter, claim, message.at), message);
    try {
      const { url, body } = claim;
      const outcome = await send({ url, headers, body }, signal);
      fastLane.recordOutcome(claim.endpoint_id, outcome);
      const attempt = { claim, outcome };
      const disabled = isPlainDelivery(attempt)
        ? await saveDelivered(attempt)
        : await saveOutcome(db, claim, outcome);
      const { status, error, durationMs } = outcome;
      log.info({ ...logFields(claim), status, error, duration_ms: durationMs }, 'webhook attempt');
      if (disabled)
        log.warn({ ...logFields(claim), reason: disabled }, 'webhook endpoint disabled');
    } catch (error) {
      if (!signal.aborted) throw error;
      await releaseLease(db, claim);
    }
  }

  return {
    lanes: [
      {
        slots: FAST_LANE.slots + FAST_LANE.extraSlots,
        claim: (free) => fastLane.claim({ slots: free, extraSlots: free - FAST_LANE.slots }),
      },
      {
        slots: SLOW_LANE.slots,
        claim: (free) => slowLane.claim({ slots: free, extraSlots: 0 }),
      },
    ],
    pollMs: POLL_MS,
    attempt: deliver,
    onClaimError: (err) => log.warn({ err }, 'webhook deliveries could not be loaded'),
    onAttemptError: (err, claim) =>
      log.warn({ err, ...logFields(claim) }, 'a webhook delivery failed with an internal error'),
    close: deps.close,
  };
}

/** Without the URL, which may contain a token. */
const logFields = ({ id, endpoint_id, event_id, attempts }: Claim) => ({
  delivery_id: id,
  endpoint_id,
  event_id,
  attempt: attempts,
});
