import { sql } from 'kysely';
import type { Logger } from 'pino';
import { acrossOrganizations } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import type { WorkerDeps } from '../deps.ts';

/** Logs an error if organizations have accounts of a platform whose keys are not configured. */
export async function logMissingKeys(
  { db, processor }: Pick<WorkerDeps, 'db' | 'processor'>,
  log: Logger,
): Promise<void> {
  if (processor.hasPlatform) return;
  const found = (await listAccounts(db)).filter(({ hasKeys }) => !hasKeys);
  if (found.length === 0) return;
  log.error(
    { organizations: found.map(({ id }) => id) },
    'organizations cannot take donations: set the STRIPE_ variables of the platform, or enter their own Stripe keys in the dashboard',
  );
}

/**
 * Returns true if no organization with a Stripe account has keys, in an installation without a platform.
 * False while no organization has an account, because owners then enter the first keys in the dashboard.
 */
export async function haveAllLostKeys(db: Db): Promise<boolean> {
  const organizations = await listAccounts(db);
  return organizations.length > 0 && !organizations.some(({ hasKeys }) => hasKeys);
}

/** Lists the organizations that have a Stripe account, and whether they have keys of their own. */
const listAccounts = (db: Db) =>
  acrossOrganizations(db)
    .selectFrom('organization')
    .leftJoin('stripe_key', 'stripe_key.organization_id', 'organization.id')
    .select(['organization.id', sql<boolean>`stripe_key.organization_id is not null`.as('hasKeys')])
    .where('processor_account_id', 'is not', null)
    .orderBy('organization.id')
    .execute();
