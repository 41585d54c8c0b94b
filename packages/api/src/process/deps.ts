import { createDonorHasher } from '@connect-embed/contract';
import { clientAddress } from '@connect-embed/contract/client-address';
import type { Logger } from 'pino';
import { Counter } from 'prom-client';
import type { Deps } from '../deps.ts';
import { ReadDatabase } from '../db/read-database.ts';
import type { BaseDeps } from '../http/env.ts';
import { ProcessorQueue } from '../payments/processor-queue.ts';
import { SessionGuard } from '../payments/fraud/session-guard.ts';
import type { Config } from '../config.ts';
import type { OpenDatabase } from '../db/database.ts';
import { LiveStreams } from '../live/live-streams.ts';
import { createColumnEncrypter } from '../lib/column-encrypter.ts';
import { createEncrypter } from '../lib/encrypter.ts';
import { lazy } from '../lib/lazy.ts';
import { createWorkerDeps } from './worker.ts';

export function createDeps(config: Config, database: OpenDatabase, log: Logger): Deps {
  const { baseUrl } = config;
  const { db, pool } = database;
  const secret = config.loadOrCreateSecret();
  const workerDeps = createWorkerDeps(config, database, log);
  return {
    ...workerDeps,
    readDatabase: openReadDatabase(database, workerDeps),
    liveStreams: new LiveStreams({ db, prepare: workerDeps.prepare, log }),
    // The libraries for OAuth are large, and a process that never needs them starts without them.
    loadAuthorizationServer: lazy(async () => {
      const { AuthorizationServer } = await import('../oauth/authorization-server.ts');
      return new AuthorizationServer(db, { secret, baseUrl });
    }),
    sessionGuard: new SessionGuard(pool),
    processorQueue: new ProcessorQueue({
      db,
      storedKeys: workerDeps.storedKeys,
      requestsPerSecond: config.stripeRequestsPerSecond,
    }),
    hashDonorKey: createDonorHasher(secret),
    getClientAddress: clientAddress(config.trustProxy),
    cursorEncrypter: createEncrypter(secret, 'cursor'),
    responseEncrypter: createColumnEncrypter(secret, 'answer'),
  };
}

function openReadDatabase({ db, replica }: OpenDatabase, { metrics, log }: BaseDeps): ReadDatabase {
  const reads = new Counter({
    name: 'connect_replica_reads_total',
    help: 'Reads of lists, sums and exports since DATABASE_REPLICA_URL is set, by the database that served them.',
    labelNames: ['database'],
    registers: [metrics.register],
  });
  return new ReadDatabase({
    primary: db,
    replica,
    onRead: (database) => reads.inc({ database }),
    onReplicaError: (error) =>
      log.warn({ error: (error as Error).message }, 'the replica could not be read'),
  });
}
