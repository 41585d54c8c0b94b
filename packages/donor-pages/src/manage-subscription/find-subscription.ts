import { createTranslator, type MessageKey, type Translator } from '@connect-embed/locales';
import { acrossOrganizations, forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import type { SubscriptionTarget } from '@connect-embed/api/payments/stripe/subscription-changes';
import type { ManageLinks } from '@connect-embed/api/mail/manage-link';
import type { SubscriptionRow } from '@connect-embed/api/payments/subscriptions/find-subscriptions';

/** A subscription that the holder of a manage link may see and change. */
export interface ManagedSubscription {
  row: SubscriptionRow;
  organization: { name: string; timeZone: string };
  fundName: string | null;
  campaignName: string | null;
  target: SubscriptionTarget;
  translator: ManageTranslator;
}

/**
 * Finds the subscription of a manage link.
 *
 * @returns undefined if the link is invalid or was revoked
 */
export async function findByManageLink(
  { db, manageLinks }: { db: Db; manageLinks: ManageLinks },
  token: string,
): Promise<{ subscription: ManagedSubscription; isExpired: boolean } | undefined> {
  const link = manageLinks.verify(token);
  const subscription = link && (await loadSubscription(db, link.planId));
  if (!subscription || subscription.row.link_epoch !== link.epoch) return undefined;
  return { subscription, isExpired: link.expired };
}

async function loadSubscription(db: Db, id: string): Promise<ManagedSubscription | undefined> {
  const row = await acrossOrganizations(db)
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
    target: {
      subscriptionId: row.processor_subscription_id,
      customerId: row.processor_customer_id,
      stripeAccount: row.processor_account_id ?? '',
    },
    translator: createManageTranslator(row.locale),
  };
}

/**
 * Loads the latest 12 payments of a subscription, newest first, less refunds and disputes. A payment that
 * was given back in full is not listed.
 */
export const loadHistory = (db: Db, plan: SubscriptionRow) =>
  forOrganization(db, plan.organization_id)
    .selectFrom('donation')
    .select(['id', 'remaining_amount_cents', 'currency', 'paid_at'])
    .where('plan_id', '=', plan.id)
    .where('remaining_amount_cents', '>', 0)
    .orderBy('paid_at', 'desc')
    .limit(12)
    .execute();
type History = Awaited<ReturnType<typeof loadHistory>>;

/** The data that the main page of a subscription shows. */
export interface SubscriptionViewProps {
  base: string;
  /** The URL `{base}/plans/{token}`, to which the forms are submitted. */
  path: string;
  subscription: ManagedSubscription;
  history: History;
  /** True if the subscription is canceled and its donor can be offered a new donation form. */
  canDonateAgain: boolean;
  message?: { kind: 'success' | 'problem'; text: string } | undefined;
  /** The amount that was rejected, as the donor typed it. The message is about it. */
  rejectedAmount?: string | undefined;
}

export type ManageKey = MessageKey<'managePage' | 'donation'>;
type ManageTranslator = Translator<ManageKey>;

/**
 * Creates the translator of the pages on which donors manage a recurring donation.
 *
 * @param tag BCP 47 language tag; null for the default language
 */
export const createManageTranslator = (tag: string | null): ManageTranslator =>
  createTranslator(tag, 'managePage', 'donation');
