import { sql } from 'kysely';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';

export type GoLiveState = Awaited<ReturnType<typeof loadGoLiveState>>;

/** What an organization has made, and what of it are tests. */
interface Counts {
  /** When it first took live keys; null if it has only ever tested. */
  liveSince: Date | null;
  /** Published forms. */
  forms: number;
  campaigns: number;
  funds: number;
  members: number;
  sites: number;
  testDonations: number;
  testPlans: number;
}

/** Loads what the page “Take real donations” counts, and the first donation with live keys. */
export async function loadGoLiveState(db: Db, organizationId: string) {
  const counts = await loadCounts(db, organizationId);
  const liveDonation = await forOrganization(db, organizationId)
    .selectFrom('donation')
    .select(['id', 'amount_cents', 'currency', 'refund_status'])
    .where('livemode', '=', true)
    // Imported donations are real, too.
    .where('processor_payment_intent_id', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return { ...counts, liveDonation };
}

async function loadCounts(db: Db, organizationId: string): Promise<Counts> {
  const count = (table: string, condition = sql`true`) => sql`
    (select count(*)::int from ${sql.table(table)} as counted
      where counted.organization_id = organization.id and ${condition})`;
  const { rows } = await sql<Counts>`
    select live_since as "liveSince",
      ${count('form', sql`live_version is not null and closed_at is null`)} as forms,
      ${count('campaign')} as campaigns,
      ${count('fund')} as funds,
      ${count('membership')} as members,
      ${count('allowed_site')} as sites,
      ${count('donation', sql`not livemode`)} as "testDonations",
      ${count('recurring_plan', sql`not livemode`)} as "testPlans"
    from organization where id = ${organizationId}`.execute(db);
  return rows[0]!;
}
