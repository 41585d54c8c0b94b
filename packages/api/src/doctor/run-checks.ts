import type { Deps } from '../web/deps.ts';
import { checkDatabase } from './database.ts';
import type { CheckResult } from './check-result.ts';
import { checkOrganizations } from './organizations.ts';
import { checkOrigins } from './origins.ts';
import { checkEvents, checkProcessor } from './processor.ts';

export interface CheckOptions {
  /** URL of the BFF (`server/`) from which pages load the form. */
  server: string | undefined;
  /** Origins of pages that must be allowed to show the form. */
  origins: readonly string[];
}

/** Runs all checks in the order of their importance. Stops if the database or Stripe fails. */
export async function* runChecks(deps: Deps, options: CheckOptions): AsyncGenerator<CheckResult> {
  const database = await checkDatabase(deps.db);
  const processor = await checkProcessor(deps);
  yield* database;
  yield* processor;
  if ([...database, ...processor].some(({ status }) => status === 'failed')) return;
  yield* await checkEvents(deps);
  yield* await checkOrganizations(deps);
  yield* await checkOrigins(deps, options);
}
