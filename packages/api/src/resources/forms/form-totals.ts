import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { DONOR_TOTALS, selectInOwnCurrency, TOTALS } from '../donations/own-currency.ts';

/** What was donated through a form, in the organization's currency. */
export interface FormTotals {
  /** Donations less refunds and disputes, in minor units. */
  raised_cents: number;
  donations: number;
  donors: number;
  last_donation_at: Date | null;
}

const NO_DONATIONS: FormTotals = {
  raised_cents: 0,
  donations: 0,
  donors: 0,
  last_donation_at: null,
};

/** Loads the totals of forms, by form id. Donations in other currencies are not included. */
export async function loadFormTotals(
  db: Db,
  organizationId: string,
  formIds: readonly string[],
): Promise<Map<string, FormTotals>> {
  const totals = new Map<string, FormTotals>(formIds.map((id) => [id, NO_DONATIONS]));
  if (formIds.length === 0) return totals;
  const byDonor = selectInOwnCurrency(db, organizationId)
    .where('donation.form_id', 'in', formIds)
    .groupBy(['donation.form_id', 'donation.contact_id'])
    .select(DONOR_TOTALS)
    .select(['donation.form_id', sql<Date>`max(donation.created_at)`.as('last_at')]);
  const rows = await db
    .selectFrom(byDonor.as('by_donor'))
    .groupBy('form_id')
    .select(TOTALS)
    .select(['form_id', sql<Date>`max(last_at)`.as('last_donation_at')])
    .$narrowType<{ form_id: string }>()
    .execute();
  for (const { form_id, ...formTotals } of rows) totals.set(form_id, formTotals);
  return totals;
}
