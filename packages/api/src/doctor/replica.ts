import { GUIDES_FOLDER } from '../config.ts';
import { formatError } from '../lib/log.ts';
import type { Deps } from '../deps.ts';
import { failure, passed, type CheckResult } from './check-result.ts';

/** Checks that DATABASE_REPLICA_URL, if it is set, names a streaming replica of DATABASE_URL. */
export async function checkReplica({
  readDatabase,
}: Pick<Deps, 'readDatabase'>): Promise<CheckResult[]> {
  try {
    const replica = await readDatabase.compareReplica();
    if (!replica) return [];
    if (!replica.isSameDatabase) {
      const message = 'Replica: DATABASE_REPLICA_URL is not the same database as DATABASE_URL.';
      return [failure(message, 'Set DATABASE_REPLICA_URL to a streaming replica of DATABASE_URL.')];
    }
    if (!replica.isReplica) {
      return [
        failure(
          'Replica: the server of DATABASE_REPLICA_URL follows no primary, so it is not read.',
          `Start it as a standby: ${GUIDES_FOLDER}/scaling.md`,
        ),
      ];
    }
    return [passed('Replica: lists, sums and exports are read from it.')];
  } catch (error) {
    return [
      failure(
        `Replica: ${formatError(error)}`,
        'Check DATABASE_REPLICA_URL. Lists, sums and exports are read from DATABASE_URL meanwhile.',
      ),
    ];
  }
}
