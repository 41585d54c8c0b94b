import { invalidRequest } from '@connect-embed/contract';
import type { Db } from './db/database.ts';
import { isId } from './id.ts';

/** What a gift or a form may be for. */
export interface GiftTarget {
  fund_id?: string | null | undefined;
  campaign_id?: string | null | undefined;
}

/**
 * Looks the fund and the campaign of a gift up: they must be the organization's own.
 *
 * @returns their names, null where none is fixed
 * @throws {ConnectError} `invalid_request` naming `fund_id` or `campaign_id`
 */
export async function findGiftTarget(db: Db, organizationId: string, target: GiftTarget) {
  const [fund_name, campaign_name] = await Promise.all([
    findName(db, 'fund', organizationId, target.fund_id),
    findName(db, 'campaign', organizationId, target.campaign_id),
  ]);
  return { fund_name, campaign_name };
}

async function findName(
  db: Db,
  table: 'fund' | 'campaign',
  organizationId: string,
  id: string | null | undefined,
): Promise<string | null> {
  if (id === undefined || id === null) return null;
  const row =
    isId(id) &&
    (await db
      .selectFrom(table)
      .select('name')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst());
  if (!row) throw invalidRequest(`${table}_id`, `no ${table} ${id} in this organization.`);
  return row.name;
}
