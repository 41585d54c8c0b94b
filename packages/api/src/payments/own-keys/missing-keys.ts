import type { Logger } from 'pino';
import { acrossOrganizations } from '../../db/organization-scope.ts';
import type { WorkerDeps } from '../deps.ts';

/** Logs an error if organizations have accounts of a platform whose keys are not configured. */
export async function logMissingKeys(
  { db, processor }: Pick<WorkerDeps, 'db' | 'processor'>,
  log: Logger,
): Promise<void> {
  if (processor.hasPlatform) return;
  const found = await acrossOrganizations(db)
    .selectFrom('organization')
    .leftJoin('stripe_key', 'stripe_key.organization_id', 'organization.id')
    .select('organization.id')
    .where('processor_account_id', 'is not', null)
    .where('stripe_key.organization_id', 'is', null)
    .execute();
  if (found.length === 0) return;
  log.error(
    { organizations: found.map(({ id }) => id) },
    'organizations cannot take donations: set the STRIPE_ variables of the platform, or enter their own Stripe keys in the dashboard',
  );
}
