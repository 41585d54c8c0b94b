import type { Frequency, RecurringPlan } from '@connect-embed/contract';
import type { ColumnType, Generated, Selectable } from 'kysely';

/** A recurring donation: a subscription at Stripe as it was last fetched. */
interface RecurringPlanTable {
  id: string;
  organization_id: string;
  amount_cents: number;
  currency: string;
  frequency: Exclude<Frequency, 'one_time'>;
  status: RecurringPlan['status'];
  donor_name: string | null;
  donor_email: string | null;
  fund_id: string | null;
  campaign_id: string | null;
  /** The form of the dashboard through which the subscription was started. */
  form_id: string | null;
  /** The donor's language, from the donation form. */
  locale: string | null;
  /** Amounts that the donor may change to, in minor units: `500-100000` or `500,1000`. */
  amounts: string;
  /**
   * Rate of the card fee that the donor covers, in basis points and minor units, such as `290+30`;
   * empty for none. Null until the subscription is fetched.
   */
  fee_cover: string | null;
  source: string;
  source_id: string | null;
  /** Id of the subscription at Stripe; unique. */
  processor_subscription_id: string;
  processor_customer_id: string;
  payment_method_id: string | null;
  /** Brand and last four digits of the card: `visa 4242`. */
  card_label: string | null;
  next_payment_at: Date | null;
  canceled_at: Date | null;
  /** Number that is part of signed manage links. Links with a lower number are invalid. */
  link_epoch: Generated<number>;
  /** Row version: docs/decisions/0033-sync-and-reconciliation.md */
  row_version: Generated<number>;
  created_at: ColumnType<Date, Date | undefined, never>;
}

/** Table of recurring donations, as part of the database schema. */
export interface SubscriptionTables {
  recurring_plan: RecurringPlanTable;
}

export type SubscriptionRow = Selectable<RecurringPlanTable>;
