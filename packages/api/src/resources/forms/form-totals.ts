import { sql, type Expression } from 'kysely';
import { isCounted } from '../../db/counted.ts';
import { forOrganization } from '../../db/organization-scope.ts';
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
  const isListed = sql<boolean>`donation.form_id = any(${formIds})`;
  for (const { form, ...formTotals } of await sumByForm(db, organizationId, 'form_id', isListed))
    totals.set(form, formTotals);
  return totals;
}

/**
 * Loads the totals of the forms that the organization's server shows from its configuration file, by their names.
 * They have no record here, so one is known once somebody has donated through it.
 */
export const loadFileFormTotals = (db: Db, organizationId: string) =>
  sumByForm(db, organizationId, 'form_name', sql<boolean>`donation.form_name is not null`);

/**
 * Lists the names of these forms, if they have donations that count. Each is looked up in the index after the one
 * before, however many donations it has.
 */
export async function listFileForms(
  db: Db,
  organizationId: string,
  max: number,
): Promise<string[]> {
  const next = forOrganization(db, organizationId)
    .selectFrom('donation')
    .where(isCounted('donation', organizationId))
    .select('form_name')
    .orderBy('form_name')
    .limit(1);
  const { rows } = await sql<{ name: string }>`
    with recursive form (name) as (
      ${next.where('form_name', 'is not', null)}
      union all
      select ${next.where('form_name', '>', sql.ref<string>('form.name'))} from form where form.name is not null)
    select name from form where name is not null limit ${max}`.execute(db);
  return rows.map(({ name }) => name);
}

/** Adds up the donations that match a condition, by the column that identifies their form. */
function sumByForm(
  db: Db,
  organizationId: string,
  column: 'form_id' | 'form_name',
  condition: Expression<boolean>,
): Promise<(FormTotals & { form: string })[]> {
  const byDonor = selectInOwnCurrency(db, organizationId)
    .where(condition)
    .groupBy([`donation.${column}`, 'donation.contact_id'])
    .select(DONOR_TOTALS)
    .select([`donation.${column} as form`, sql<Date>`max(donation.created_at)`.as('last_at')]);
  return db
    .selectFrom(byDonor.as('by_donor'))
    .groupBy('form')
    .orderBy('form')
    .select(TOTALS)
    .select(['form', sql<Date>`max(last_at)`.as('last_donation_at')])
    .$narrowType<{ form: string }>()
    .execute();
}
