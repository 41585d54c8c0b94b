import type { Deps } from '../env.ts';
import { checkDatabase } from './database.ts';
import type { CheckResult } from './check-result.ts';
import { checkOrganizations } from './organizations.ts';
import { checkOrigins } from './origins.ts';
import { checkEvents, checkProcessor } from './processor.ts';

export interface CheckOptions {
  /** The server that pages load the form from. */
  server: string | undefined;
  /** Pages that should be allowed to show it. */
  origins: readonly string[];
}

/** Everything that has to be right before a gift arrives, in the order in which it matters. */
export async function* runChecks(deps: Deps, options: CheckOptions): AsyncGenerator<CheckResult> {
  const database = await checkDatabase(deps.db);
  const processor = await checkProcessor(deps);
  yield* database;
  yield* processor;
  if ([...database, ...processor].some(({ status }) => status === 'wrong')) return;
  yield* await checkEvents(deps);
  yield* await checkOrganizations(deps);
  yield* await checkOrigins(deps, options);
}
