import { z } from 'zod';
import { Cents, Currency, Text, Timestamp } from './field.ts';

/** Values of `refund_status`: docs/decisions/0007-statuses.md */
export const REFUND_STATUSES = ['none', 'partial', 'full'] as const;
/** Values of `dispute_status`: docs/decisions/0007-statuses.md */
export const DISPUTE_STATUSES = ['none', 'open', 'won', 'lost'] as const;

/** A gift that the processor has reported as paid (spec: donation). */
export const Donation = z.object({
  id: z.string(),
  object: z.literal('donation'),
  amount_cents: Cents,
  /** What remains after the processor's fee and refunds; null until the processor tells its fee. */
  net_amount_cents: z.int().nullable(),
  currency: Currency,
  recurring: z.boolean(),
  refund_status: z.enum(REFUND_STATUSES),
  refunded_amount_cents: Cents,
  dispute_status: z.enum(DISPUTE_STATUSES),
  donor_name: Text,
  donor_email: Text,
  fund_id: Text,
  fund_name: Text,
  campaign_id: Text,
  contact_id: Text,
  /** How it came: `embed`, `api`, `import`. */
  source: z.string(),
  /** The credential or session that it came through. */
  source_id: Text,
  created_at: Timestamp,
});
export type Donation = z.infer<typeof Donation>;
