import type { Db } from '../../db/database.ts';
import { speak, type Speech } from '../../donor-words/language.ts';
import type { PlanPlace } from '../../processor/plan-changes.ts';
import type { PlanLinks } from '../link.ts';
import type { PlanRow } from '../write-plan.ts';

/** A plan that somebody may see and change, because they hold its link. */
export interface OpenPlan {
  row: PlanRow;
  organization: { name: string; timeZone: string };
  fundName: string | null;
  campaignName: string | null;
  place: PlanPlace;
  speech: Speech;
}

export type Found = { kind: 'open'; plan: OpenPlan } | { kind: 'expired'; plan: OpenPlan };

/** @returns undefined for whatever is no link of ours, or no longer one */
export async function findPlan(
  { db, links }: { db: Db; links: PlanLinks },
  token: string,
): Promise<Found | undefined> {
  const link = links.read(token);
  const plan = link && (await readPlan(db, link.planId));
  if (!plan || plan.row.link_epoch !== link.epoch) return undefined;
  return { kind: link.expired ? 'expired' : 'open', plan };
}

async function readPlan(db: Db, id: string): Promise<OpenPlan | undefined> {
  const row = await db
    .selectFrom('recurring_plan as plan')
    .innerJoin('organization', 'organization.id', 'plan.organization_id')
    .leftJoin('fund', 'fund.id', 'plan.fund_id')
    .leftJoin('campaign', 'campaign.id', 'plan.campaign_id')
    .selectAll('plan')
    .select([
      'organization.name as organization_name',
      'organization.time_zone',
      'organization.processor_account_id',
      'fund.name as fund_name',
      'campaign.name as campaign_name',
    ])
    .where('plan.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    row,
    organization: { name: row.organization_name, timeZone: row.time_zone },
    fundName: row.fund_name,
    campaignName: row.campaign_name,
    place: {
      subscriptionId: row.processor_subscription_id,
      customerId: row.processor_customer_id,
      stripeAccount: row.processor_account_id ?? '',
    },
    speech: speak(row.locale),
  };
}

/** The newest payments of a plan. */
export const readHistory = (db: Db, planId: string) =>
  db
    .selectFrom('donation')
    .select(['id', 'amount_cents', 'currency', 'paid_at'])
    .where('plan_id', '=', planId)
    .orderBy('paid_at', 'desc')
    .limit(12)
    .execute();
export type History = Awaited<ReturnType<typeof readHistory>>;
