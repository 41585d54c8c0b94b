import { cancelIdleIntents } from '../payments/fraud/cancel-after-declines.ts';
import type { Config } from '../config.ts';
import type { CleanupStack } from '../lib/cleanup-stack.ts';
import { removeExpired } from './remove-expired.ts';
import type { WorkerDeps } from '../payments/deps.ts';
import { storeTotals } from '../db/donation-totals.ts';
import { startMailWorker } from '../mail/mail-worker.ts';
import { startReconciler } from '../payments/reconcile/start-reconciler.ts';
import { startDeliveryWorker } from '../webhooks/delivery-worker.ts';

const CLEANUP_INTERVAL_MS = 10 * 60_000;
const CANCEL_IDLE_INTERVAL_MS = 60_000;
const STORE_TOTALS_INTERVAL_MS = 2_000;

/**
 * Starts the jobs that no request triggers: webhook deliveries, emails, reconciliation with the card
 * processor, cancellation of idle payment intents and removal of expired rows.
 */
export function startBackgroundJobs(
  config: Config,
  deps: WorkerDeps,
  disposables: CleanupStack,
): void {
  const { db, webhooks, baseUrl, manageLinks, log } = deps;
  const cleanupTimer = setInterval(() => {
    removeExpired(db).catch((err: unknown) => log.warn({ err }, 'removing expired rows failed'));
  }, CLEANUP_INTERVAL_MS).unref();
  disposables.defer(() => clearInterval(cleanupTimer));
  const cancelIdleTimer = setInterval(() => {
    cancelIdleIntents(deps).catch((err: unknown) =>
      log.warn({ err }, 'canceling idle payment intents failed'),
    );
  }, CANCEL_IDLE_INTERVAL_MS).unref();
  disposables.defer(() => clearInterval(cancelIdleTimer));
  const totalsTimer = setInterval(() => {
    storeTotals(db).catch((err: unknown) => log.warn({ err }, 'storing totals failed'));
  }, STORE_TOTALS_INTERVAL_MS).unref();
  disposables.defer(() => clearInterval(totalsTimer));
  const allowHosts = config.webhookAllowHosts;
  const deliverer = startDeliveryWorker({ db, webhooks, log, allowHosts });
  disposables.defer(() => deliverer.stop());
  const mailWorker = startMailWorker({
    db,
    config: config.mail,
    server: config,
    baseUrl,
    manageLinks,
    log,
  });
  disposables.defer(async () => await mailWorker?.stop());
  const reconciler = startReconciler(deps);
  disposables.defer(() => reconciler.stop());
}
