import { invalidRequest } from '@connect-embed/contract';
import { sql } from 'kysely';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { recordDonorChange } from './donor-changes.ts';
import {
  findEditableDonor,
  fullName,
  isPaymentOf,
  isPlanOf,
  isRegistrationOf,
  lockDonor,
  requireDonorEditor,
  type ActingMember,
  type DonorRow,
} from './find-donor.ts';

/** The donor who stays, and the one who is merged into this one. */
export interface DonorPair {
  kept: DonorRow;
  merged: DonorRow;
}

/**
 * Finds two donors of which one can be merged into the other.
 *
 * @throws {ConnectError} `forbidden`, `not_found`, `conflict` if one was erased, or `invalid_request` if both are the same
 */
export async function findDonorPair(
  db: Db,
  member: ActingMember,
  ids: { kept: string; merged: string },
): Promise<DonorPair> {
  requireDonorEditor(member);
  const kept = await findEditableDonor(db, member.organizationId, ids.kept);
  const merged = await findEditableDonor(db, member.organizationId, ids.merged);
  if (kept.id === merged.id) throw invalidRequest('id', 'must be that of another donor.');
  return { kept, merged };
}

/** What the donor has after the merge: the own data and, where there is none, that of the other donor. */
export function mergedContact({ kept, merged }: DonorPair) {
  const named = fullName(kept) ? kept : merged;
  const located = [kept.city, kept.state, kept.postal_code, kept.country].some(Boolean)
    ? kept
    : merged;
  return {
    email: kept.email ?? merged.email,
    first_name: named.first_name,
    last_name: named.last_name,
    phone: kept.phone ?? merged.phone,
    city: located.city,
    state: located.state,
    postal_code: located.postal_code,
    country: located.country,
  };
}

/**
 * Merges a donor into another one: docs/decisions/0101-donor-data.md
 *
 * Donations, notes and history move. What is found by email address stays as it is, because the merged donor's row
 * keeps its address. So a recurring donation goes on with its own address, payment method and customer at Stripe, and
 * a later donation with this address belongs to the donor who stays.
 *
 * @throws {ConnectError} as `findDonorPair`, and `conflict` if a donor was changed at the same time
 */
export async function mergeDonors(
  db: Db,
  member: ActingMember,
  ids: { kept: string; merged: string },
): Promise<void> {
  const found = await findDonorPair(db, member, ids);
  await db.transaction().execute(async (tx) => {
    // In the order of ids, so that two members who merge both ways do not wait for each other.
    const locked = new Map<string, DonorRow>();
    for (const id of [found.kept.id, found.merged.id].sort())
      locked.set(id, await lockDonor(tx, member.organizationId, id));
    const kept = locked.get(found.kept.id)!;
    const merged = locked.get(found.merged.id)!;
    await moveRecords(tx, { kept, merged });
    await recordDonorChange(tx, member, {
      donorId: kept.id,
      type: 'merged',
      details: { merged: { id: merged.id, name: fullName(merged), email: merged.email } },
    });
  });
}

async function moveRecords(tx: Db, { kept, merged }: DonorPair): Promise<void> {
  const rows = forOrganization(tx, kept.organization_id);
  const donor_id = kept.id;
  await rows
    .updateTable('donation')
    .set({ contact_id: donor_id })
    .where('contact_id', '=', merged.id)
    .execute();
  await rows
    .updateTable('donor_note')
    .set({ donor_id })
    .where('donor_id', '=', merged.id)
    .execute();
  await rows
    .updateTable('donor_change')
    .set({ donor_id })
    .where('donor_id', '=', merged.id)
    .execute();
  await rows
    .updateTable('donor')
    .set({ merged_into: donor_id })
    .where('merged_into', '=', merged.id)
    .execute();
  const updated_at = sql<Date>`clock_timestamp()`;
  await rows
    .updateTable('donor')
    .set({
      merged_into: donor_id,
      // Two donors cannot have the same address.
      email: kept.email === null ? null : merged.email,
      first_name: null,
      last_name: null,
      phone: null,
      city: null,
      state: null,
      postal_code: null,
      country: null,
      updated_at,
    })
    .where('id', '=', merged.id)
    .execute();
  await rows
    .updateTable('donor')
    .set({
      ...mergedContact({ kept, merged }),
      created_at: new Date(Math.min(kept.created_at.getTime(), merged.created_at.getTime())),
      updated_at,
    })
    .where('id', '=', donor_id)
    .execute();
}

/** Numbers of what belongs to a donor. */
export interface DonorRecords {
  donations: number;
  recurringDonations: number;
  /** On their way, or returned by the bank. */
  payments: number;
  registrations: number;
  notes: number;
}

export async function countRecords(db: Db, donor: DonorRow): Promise<DonorRecords> {
  const rows = forOrganization(db, donor.organization_id);
  const count = sql<number>`count(*)::float8`.as('count');
  const [donations, plans, payments, registrations, notes] = await Promise.all([
    rows.selectFrom('donation').where('contact_id', '=', donor.id).select(count).execute(),
    rows.selectFrom('recurring_plan').where(isPlanOf(donor)).select(count).execute(),
    rows.selectFrom('payment_intent').where(isPaymentOf(donor)).select(count).execute(),
    rows.selectFrom('registration').where(isRegistrationOf(donor)).select(count).execute(),
    rows.selectFrom('donor_note').where('donor_id', '=', donor.id).select(count).execute(),
  ]);
  return {
    donations: donations[0]!.count,
    recurringDonations: plans[0]!.count,
    payments: payments[0]!.count,
    registrations: registrations[0]!.count,
    notes: notes[0]!.count,
  };
}
