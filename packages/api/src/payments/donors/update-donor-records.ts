import { sql, type UpdateObject } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Database, Db } from '../../db/schema.ts';
import { isPaymentOf, isPlanOf, isRegistrationOf, type DonorRow } from './find-donor.ts';

/** New values of the rows that name a donor. */
type RecordChanges = {
  [
    Table in 'donation' | 'payment_intent' | 'recurring_plan' | 'registration' | 'donor'
  ]: UpdateObject<Database, Table>;
};

/**
 * Changes all rows that name a donor. A correction and an erasure change the same ones.
 *
 * @param donor as it is before the change, because rows are found by its email address
 */
export async function updateDonorRecords(
  tx: Db,
  donor: DonorRow,
  changes: RecordChanges,
): Promise<void> {
  const rows = forOrganization(tx, donor.organization_id);
  // Each payment of a recurring donation without an address is recorded without a donor.
  await rows
    .updateTable('donation')
    .set({ contact_id: donor.id })
    .where('contact_id', 'is', null)
    .where('plan_id', 'in', rows.selectFrom('recurring_plan').select('id').where(isPlanOf(donor)))
    .execute();
  await rows
    .updateTable('donation')
    .set(changes.donation)
    .where('contact_id', '=', donor.id)
    .execute();
  await rows
    .updateTable('payment_intent')
    .set(changes.payment_intent)
    .where(isPaymentOf(donor))
    .execute();
  await rows
    .updateTable('recurring_plan')
    .set(changes.recurring_plan)
    .where(isPlanOf(donor))
    .execute();
  await rows
    .updateTable('registration')
    .set(changes.registration)
    .where(isRegistrationOf(donor))
    .execute();
  await rows
    .updateTable('donor')
    .set({ ...changes.donor, updated_at: sql`clock_timestamp()` })
    .where('id', '=', donor.id)
    .execute();
}
