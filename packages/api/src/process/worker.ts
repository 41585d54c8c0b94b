import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/database.ts';
import { readClusterFolder } from '../db/embedded/cluster-folder.ts';
import { createPrepare } from '../db/prepared.ts';
import { handleErrors } from '../http/error-handler.ts';
import { health } from '../http/health.ts';
import { createInstrumentedApp } from '../http/instrumented-app.ts';
import { metrics } from '../http/metrics-route.ts';
import { createMetrics } from '../http/metrics.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { createColumnEncrypter } from '../lib/column-encrypter.ts';
import { createManageLinks } from '../mail/manage-link.ts';
import type { WorkerDeps } from '../payments/deps.ts';
import { saveRejectedKeys } from '../payments/own-keys/rejected-keys.ts';
import { selectLivemode, StoredKeys } from '../payments/own-keys/stored-keys.ts';
import { createProcessor } from '../payments/stripe/processor.ts';
import { createWebhooks } from '../webhooks/webhooks.ts';
import { measureQueues } from './queue-metrics.ts';
import { createReadinessCheck } from './readiness.ts';

/** Creates the dependencies that a process needs in every role. */
export function createWorkerDeps(
  config: Config,
  { db, pool }: OpenDatabase,
  log: Logger,
): WorkerDeps {
  const { baseUrl } = config;
  const secret = config.loadOrCreateSecret();
  const metrics = createMetrics(pool);
  measureQueues(db, metrics.register);
  const keyEncrypter = createColumnEncrypter(secret, 'stripe key');
  const storedKeys = new StoredKeys(db, keyEncrypter);
  const processor = createProcessor(config.processor, storedKeys.find, (account, keys) =>
    saveRejectedKeys({ db, storedKeys, log }, account, keys),
  );
  return {
    db,
    prepare: createPrepare({ db, pool }),
    processor,
    storedKeys,
    keyEncrypter,
    webhooks: createWebhooks({
      secret,
      baseUrl,
      livemode: (organizationId) =>
        sql<boolean>`coalesce((${selectLivemode(db, organizationId)}), ${processor.livemode})`,
      allowHosts: config.webhookAllowHosts,
    }),
    mailConfig: config.mail,
    manageLinks: createManageLinks({ secret, baseUrl }),
    metrics,
    metricsToken: config.metricsToken,
    baseUrl,
    checkReady: createReadinessCheck({
      db,
      embeddedFolder: config.databaseUrl ? undefined : readClusterFolder(config.dataDir),
      secret,
      processor,
    }),
    log,
  };
}

/** Creates the HTTP app of a worker process: health checks and metrics only. */
export function createWorkerApp(deps: WorkerDeps) {
  const app = createInstrumentedApp(deps)
    .use(securityHeaders)
    .route('/', health(deps))
    .route('/metrics', metrics(deps));
  return handleErrors(app, deps);
}
