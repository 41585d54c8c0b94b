import type { Deps } from '../deps.ts';
import { checkDatabase, checkReadiness } from './database.ts';
import type { CheckOptions, CheckResult } from './check-result.ts';
import { checkOrganizations } from './organizations.ts';
import { checkOrigins } from './origins.ts';
import { checkPayouts } from './payouts.ts';
import { checkEvents, checkProcessor } from './processor.ts';
import { checkReplica } from './replica.ts';
import { checkMail, checkWorker } from './worker.ts';

/**
 * Runs all checks, the most important first. Skips the later checks if a check of the database or of
 * Stripe fails.
 */
export async function* runChecks(deps: Deps, options: CheckOptions): AsyncGenerator<CheckResult> {
  const database = await checkDatabase(deps);
  const processor = await checkProcessor(deps);
  yield* database;
  yield* processor;
  if ([...database, ...processor].some(({ status }) => status === 'failed')) return;
  yield await checkReadiness(deps);
  yield* await checkReplica(deps);
  yield await checkWorker(deps);
  yield await checkMail(deps);
  yield* await checkEvents(deps);
  yield await checkPayouts(deps);
  yield* await checkOrganizations(deps);
  yield* await checkOrigins(deps, options);
}
