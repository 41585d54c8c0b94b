import {
  ConnectError,
  type AllowedSiteRequest,
  type CreateAllowedSiteRequest,
} from '@connect-embed/contract';
import { originMatcher } from '@connect-embed/contract/site-origin';
import { sql } from 'kysely';
import { acrossOrganizations, forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import { newId } from '../../lib/id.ts';
import { enqueueEmail } from '../../mail/queue.ts';
import { listOrigins } from './edit-sites.ts';

/**
 * Requests of websites to be allowed: docs/decisions/0102-wordpress-and-site-requests.md
 *
 * Anybody can send one through the server, so a request allows nothing, is listed once for each website,
 * and an organization has few of them.
 */
const MAX_PENDING = 20;
const LIFETIME = sql`interval '30 days'`;
/** Websites that were refused a form: how many are kept, and how long they are shown. */
const MAX_REFUSED = 10;
const REFUSED_LIFETIME = sql`interval '1 day'`;
const isUnexpired = sql<boolean>`allowed_site_request.created_at > now() - ${LIFETIME}`;

/**
 * Saves that a website asks to be allowed, and emails owners and admins at most once a day. Of a website that nobody
 * asks for, only that a page of it was refused.
 *
 * @param dashboardUrl base URL of the link in the email
 * @returns `pending` also for a request that was dismissed: whoever sends it learns nothing more
 * @throws {ConnectError} `conflict` with code `limit_reached` if too many requests are pending
 */
export async function requestSite(
  db: Db,
  organizationId: string,
  { origin, refused, form }: CreateAllowedSiteRequest,
  dashboardUrl: string,
): Promise<AllowedSiteRequest> {
  const isAllowed = originMatcher(await listOrigins(db, organizationId))(origin);
  if (!isAllowed && refused)
    await recordRefusedSite(db, organizationId, { origin, form_name: form ?? null });
  else if (!isAllowed) {
    await db.transaction().execute(async (tx) => {
      // The row lock makes concurrent requests of an organization count each other.
      await sql`select from organization where id = ${organizationId} for no key update`.execute(
        tx,
      );
      if (await isKnown(tx, organizationId, origin)) return;
      await insertRequest(tx, organizationId, origin);
      await enqueueEmails(tx, organizationId, dashboardUrl);
    });
  }
  return { object: 'allowed_site_request', origin, status: isAllowed ? 'allowed' : 'pending' };
}

const isKnown = (db: Db, organizationId: string, origin: string) =>
  forOrganization(db, organizationId)
    .selectFrom('allowed_site_request')
    .select('id')
    .where('origin', '=', origin)
    .where('refused', '=', false)
    .where(isUnexpired)
    .executeTakeFirst();

async function insertRequest(db: Db, organizationId: string, origin: string): Promise<void> {
  if ((await countSiteRequests(db, organizationId)) >= MAX_PENDING) {
    const message = `${MAX_PENDING} websites are waiting for approval already. Ask an owner of the organization to decide about them under “Allowed sites” in the dashboard.`;
    throw new ConnectError('conflict', message, { code: 'limit_reached' });
  }
  await forOrganization(db, organizationId)
    .insertInto('allowed_site_request', { id: newId('sreq'), origin })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'origin']).doUpdateSet({
        created_at: sql<Date>`clock_timestamp()`,
        dismissed_at: null,
        refused: false,
      }),
    )
    .execute();
}

/** Queues the emails. The occasion contains the day, so that a person gets one a day. */
async function enqueueEmails(db: Db, organizationId: string, dashboardUrl: string): Promise<void> {
  const people = await forOrganization(db, organizationId)
    .selectFrom('membership')
    .select('person_id')
    .where('role', '!=', 'member')
    .execute();
  const day = new Date().toISOString().slice(0, 10);
  for (const { person_id } of people) {
    const url = `${dashboardUrl}/${organizationId}/allowed-sites`;
    const occasion = `${organizationId},${person_id},${day}`;
    const details = { person_id, url };
    await enqueueEmail(db, { kind: 'site_request', organizationId, occasion, details });
  }
}

/**
 * Saves that a page of a website was refused a form. The newest websites are kept, so that strangers, who can invent
 * any, fill no table and hide no request.
 */
async function recordRefusedSite(
  db: Db,
  organizationId: string,
  site: { origin: string; form_name: string | null },
): Promise<void> {
  const organization = forOrganization(db, organizationId);
  await organization
    .insertInto('allowed_site_request', { id: newId('sreq'), ...site, refused: true })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'origin'])
        .doUpdateSet({ created_at: sql<Date>`clock_timestamp()`, form_name: site.form_name })
        // What an owner has dismissed stays so, and a request of the website stays one.
        .where('allowed_site_request.refused', '=', true)
        .where('allowed_site_request.dismissed_at', 'is', null),
    )
    .execute();
  const newest = organization
    .selectFrom('allowed_site_request')
    .select('id')
    .where('refused', '=', true)
    .orderBy('created_at', 'desc')
    .limit(MAX_REFUSED);
  await organization
    .deleteFrom('allowed_site_request')
    .where('refused', '=', true)
    .where('id', 'not in', newest)
    .execute();
}

/** Lists the websites that were refused a form in the last day, the newest first, with the name of that form. */
export const listRefusedSites = (db: Db, organizationId: string) =>
  selectUndecided(db, organizationId, { refused: true })
    .leftJoin('form', (join) =>
      join
        .onRef('form.organization_id', '=', 'allowed_site_request.organization_id')
        .onRef('form.slug', '=', 'allowed_site_request.form_name'),
    )
    .where('allowed_site_request.created_at', '>', sql<Date>`now() - ${REFUSED_LIFETIME}`)
    .select(['allowed_site_request.id', 'origin', 'allowed_site_request.created_at'])
    // A form of the server's configuration has no other name.
    .select(sql<string | null>`coalesce(form.name, allowed_site_request.form_name)`.as('form'))
    .orderBy('allowed_site_request.created_at', 'desc')
    .execute();

/** Lists the requests that nobody has decided about, the oldest first. */
export const listSiteRequests = (db: Db, organizationId: string) =>
  selectPending(db, organizationId)
    .select(['id', 'origin', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Counts the requests that nobody has decided about. */
export async function countSiteRequests(db: Db, organizationId: string): Promise<number> {
  const { count } = await selectPending(db, organizationId)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const selectPending = (db: Db, organizationId: string) =>
  selectUndecided(db, organizationId, { refused: false }).where(isUnexpired);

const selectUndecided = (db: Db, organizationId: string, { refused }: { refused: boolean }) =>
  forOrganization(db, organizationId)
    .selectFrom('allowed_site_request')
    .where('refused', '=', refused)
    .where('dismissed_at', 'is', null);

/** Hides requests. A website can ask again when its request expires. */
export async function dismissSiteRequests(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await forOrganization(db, organizationId)
    .updateTable('allowed_site_request')
    .set({ dismissed_at: new Date() })
    .where(sql<boolean>`id = any(${ids})`)
    .execute();
}

/** Deletes expired requests of all organizations. */
export const removeOldSiteRequests = (db: Db) =>
  acrossOrganizations(db)
    .deleteFrom('allowed_site_request')
    .where('created_at', '<', sql<Date>`now() - ${LIFETIME}`)
    .execute();
