import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { OpenDatabase } from './db/database.ts';
import { readHome } from './db/embedded/home.ts';
import { openPrepare } from './db/prepared.ts';
import type { WorkDeps } from './env.ts';
import { openMetrics } from './metrics.ts';
import { openProcessor } from './processor/open.ts';
import { openPlanLinks } from './recurring/link.ts';
import { openWebhooks } from './webhooks/open.ts';

/** Builds what every process stands on, whatever its role. */
export function createWorkDeps(config: Config, { db, pool }: OpenDatabase, log: Logger): WorkDeps {
  const { baseUrl } = config;
  const secret = config.secret();
  const processor = openProcessor(config.processor);
  return {
    db,
    prepare: openPrepare({ db, pool }),
    processor,
    webhooks: openWebhooks({
      secret,
      baseUrl,
      livemode: processor.livemode,
      allowHosts: config.webhookAllowHosts,
    }),
    mail: config.mail,
    links: openPlanLinks({ secret, baseUrl }),
    metrics: openMetrics(db, pool),
    metricsToken: config.metricsToken,
    baseUrl,
    embeddedFolder: config.databaseUrl ? undefined : readHome(config.dataDir),
    log,
  };
}
