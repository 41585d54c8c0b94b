import type { Frequency, RecurringPlan } from '@connect-embed/contract';
import type { ColumnType, Generated } from 'kysely';

/** A gift that repeats: the processor's subscription, as it was last read. */
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
  /** The donor's language, as the form said it. */
  locale: string | null;
  /** What the donor may change the amount to: `500-100000`, or `500,1000`. */
  amounts: string;
  /**
   * How the card fee is reckoned that the donor covers: `290+30`, in basis points and cents; empty for none. Null
   * until the subscription is read: it began before the column existed.
   */
  fee_cover: string | null;
  source: string;
  source_id: string | null;
  /** Unique: one subscription is one plan. */
  processor_subscription_id: string;
  processor_customer_id: string;
  payment_method_id: string | null;
  /** As people know their card: `visa 4242`. */
  card_label: string | null;
  next_payment_at: Date | null;
  canceled_at: Date | null;
  /** Links that were signed for an earlier one are over. */
  link_epoch: Generated<number>;
  /** docs/decisions/0033-readings.md */
  reading: Generated<number>;
  created_at: ColumnType<Date, Date | undefined, never>;
}

/** The table of this folder, as part of the schema. */
export interface RecurringTables {
  recurring_plan: RecurringPlanTable;
}
