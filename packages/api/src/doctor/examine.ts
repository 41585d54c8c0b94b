import type { Deps } from '../env.ts';
import { checkDatabase } from './database.ts';
import type { Finding } from './finding.ts';
import { checkOrganizations } from './organizations.ts';
import { checkOrigins } from './origins.ts';
import { checkEvents, checkProcessor } from './processor.ts';

export interface ExamineOptions {
  /** The server that pages load the form from. */
  server: string | undefined;
  /** Pages that should be allowed to show it. */
  origins: readonly string[];
}

/** Everything that has to be right before a gift arrives, in the order in which it matters. */
export async function* examine(deps: Deps, options: ExamineOptions): AsyncGenerator<Finding> {
  const database = await checkDatabase(deps.db);
  const processor = await checkProcessor(deps);
  yield* database;
  yield* processor;
  if ([...database, ...processor].some(({ is }) => is === 'wrong')) return;
  yield* await checkEvents(deps);
  yield* await checkOrganizations(deps);
  yield* await checkOrigins(deps, options);
}
