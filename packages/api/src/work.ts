import { closeIdle } from './card-testing/worn-out.ts';
import type { Config } from './config.ts';
import { removeExpired } from './db/expired.ts';
import type { WorkDeps } from './env.ts';
import { startPostman } from './mail/open.ts';
import { startReconciler } from './money/reconcile/job.ts';
import { startDeliverer } from './webhooks/start-deliverer.ts';

const CLEAN_EVERY_MS = 10 * 60_000;
const CLOSE_IDLE_EVERY_MS = 60_000;

/** What happens without a request: notices and mail leave, what got lost is found, old rows go. */
export function startWork(config: Config, deps: WorkDeps, held: AsyncDisposableStack): void {
  const { db, webhooks, links, log } = deps;
  const cleaning = setInterval(() => {
    removeExpired(db).catch((err: unknown) => log.warn({ err }, 'cleaning failed'));
  }, CLEAN_EVERY_MS).unref();
  held.defer(() => clearInterval(cleaning));
  const closing = setInterval(() => {
    closeIdle(deps).catch((err: unknown) => log.warn({ err }, 'closing idle intents failed'));
  }, CLOSE_IDLE_EVERY_MS).unref();
  held.defer(() => clearInterval(closing));
  const allowHosts = config.webhookAllowHosts;
  const deliverer = startDeliverer({ db, webhooks, log, allowHosts });
  held.defer(() => deliverer.stop());
  const postman = startPostman({ db, config: config.mail, links, log });
  held.defer(async () => await postman?.stop());
  const reconciler = startReconciler(deps);
  held.defer(() => reconciler.stop());
}
