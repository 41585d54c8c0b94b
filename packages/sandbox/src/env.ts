import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Idempotency } from './idempotency.ts';
import type { Ledger } from './ledger.ts';
import type { Log } from './log.ts';
import type { Scheduler } from './scheduler.ts';

/** Dependencies of the routes of the simulated Stripe API. */
export type Deps = {
  db: DatabaseSync;
  clock: Clock;
  faults: Faults;
  groupCommit: GroupCommit;
  idempotency: Idempotency;
  scheduler: Scheduler;
  log: Log;
};

/** Context variables of a request, for Hono. */
export type Env = {
  Variables: {
    deps: Deps;
    requestId: string;
    browser: boolean;
    /** The account of the API key. */
    keyAccount: string;
    ledger: Ledger;
  };
};
