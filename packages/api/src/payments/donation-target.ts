import { ConnectError, invalidRequest, type FundChoice } from '@connect-embed/contract';
import { sql } from 'kysely';
import { forOrganization } from '../db/organization-scope.ts';
import type { Db } from '../db/schema.ts';
import { isId } from '../lib/id.ts';

type TargetTable = 'fund' | 'campaign';

/** The fund and campaign of a donation or a form. */
interface DonationTarget {
  fund_id?: string | null | undefined;
  campaign_id?: string | null | undefined;
}

/**
 * Loads the names of the fund and the campaign of a donation. They must belong to the organization and
 * not be archived.
 *
 * @returns the names, null where no fund or campaign is given
 * @throws {ConnectError} `invalid_request` with param `fund_id` or `campaign_id`
 */
export async function findDonationTarget(db: Db, organizationId: string, target: DonationTarget) {
  const [fund_name, campaign_name] = await Promise.all([
    findName(db, 'fund', organizationId, target.fund_id),
    findName(db, 'campaign', organizationId, target.campaign_id),
  ]);
  return { fund_name, campaign_name };
}

/**
 * Loads the names of the fund and the campaign of a form that is about to be shown to donors.
 *
 * @throws {ConnectError} as `findDonationTarget`, and `not_found` with code `campaign_ended`
 */
export async function findOpenTarget(db: Db, organizationId: string, target: DonationTarget) {
  const names = await findDonationTarget(db, organizationId, target);
  if (target.campaign_id) {
    const campaign = await forOrganization(db, organizationId)
      .selectFrom('campaign')
      .innerJoin('organization', 'organization.id', 'campaign.organization_id')
      .select(IS_CAMPAIGN_OPEN.as('is_open'))
      .where('campaign.id', '=', target.campaign_id)
      .executeTakeFirstOrThrow();
    requireOpenCampaign(campaign);
  }
  return names;
}

/**
 * Whether a campaign accepts donations: it is switched on, and its last day has not passed in the time zone of
 * its organization (docs/decisions/0051-dates-and-time-zones.md). Requires both tables in the statement.
 */
export const IS_CAMPAIGN_OPEN = sql<boolean>`campaign.is_active and coalesce(
  (now() at time zone organization.time_zone)::date <= (campaign.end_date at time zone 'UTC')::date, true)`;

/** @throws {ConnectError} `not_found` with code `campaign_ended` if the campaign accepts no donations */
export function requireOpenCampaign({ is_open }: { is_open: boolean | null }): void {
  if (is_open) return;
  const message = 'This campaign has ended. You were not charged.';
  throw new ConnectError('not_found', message, { code: 'campaign_ended' });
}

/**
 * Loads the funds that donors of a form can choose from.
 *
 * @throws {ConnectError} `invalid_request` with param `fund_choice_ids`
 */
export async function findFundChoices(
  db: Db,
  organizationId: string,
  ids: readonly string[] = [],
): Promise<FundChoice[]> {
  const validIds = ids.filter(isId);
  const funds = validIds.length
    ? await forOrganization(db, organizationId)
        .selectFrom('fund')
        .select(['id', 'name'])
        .where('id', 'in', validIds)
        .where('archived_at', 'is', null)
        .execute()
    : [];
  const missing = ids.find((id) => !funds.some((fund) => fund.id === id));
  if (missing === undefined) return funds;
  throw invalidRequest(
    'fund_choice_ids',
    `contains ${missing}, which is no fund of this organization.`,
  );
}

async function findName(
  db: Db,
  table: TargetTable,
  organizationId: string,
  id: string | null | undefined,
): Promise<string | null> {
  if (id === undefined || id === null) return null;
  const row =
    isId(id) &&
    (await forOrganization(db, organizationId)
      .selectFrom(table)
      .select(['id', 'name', 'archived_at'])
      .where('id', '=', id)
      .executeTakeFirst());
  return requireActive(table, id, row).name;
}

/**
 * Returns the fund or campaign that was found for an id.
 *
 * @throws {ConnectError} `invalid_request` if none was found or it is archived
 */
export function requireActive<Row extends { id: string; archived_at: Date | null }>(
  table: TargetTable,
  id: string,
  row: Row | false | undefined,
): Row {
  if (!row || row.id !== id)
    throw invalidRequest(
      `${table}_id`,
      `must be a ${table} of this organization, and ${id} is not.`,
    );
  if (row.archived_at) throw invalidRequest(`${table}_id`, `must not be archived, and ${id} is.`);
  return row;
}
