import { z } from 'zod';

/** Bounds of one gift in minor units: docs/decisions/0004-gift-bounds.md */
export const MIN_GIFT_CENTS = 50;
export const MAX_GIFT_CENTS = 99_999_999;

const GiftCents = z.int().min(MIN_GIFT_CENTS).max(MAX_GIFT_CENTS);

/**
 * What a form lets a donor give: fixed on the server, never by the page (spec: Write endpoints).
 *
 * Every field is always present in an answer; `settleGift` holds a gift against it.
 */
export const GiftTerms = z.object({
  /** Where every gift of the form goes; null leaves it to the gift. */
  fund_id: z.string().nullable(),
  campaign_id: z.string().nullable(),
  /** Amounts offered, in this order; the first one given by `default_amount_cents` is chosen. */
  preset_amounts_cents: z.array(z.int()),
  default_amount_cents: z.int().nullable(),
  /** True: only the preset amounts can be given. */
  amount_locked: z.boolean(),
  min_amount_cents: z.int(),
  max_amount_cents: z.int(),
});
export type GiftTerms = z.infer<typeof GiftTerms>;

/** The same as asked for: everything may be left out. */
export const GiftTermsInput = z
  .strictObject({
    fund_id: z.string().min(1).max(100),
    campaign_id: z.string().min(1).max(100),
    preset_amounts_cents: z.array(GiftCents).max(12),
    default_amount_cents: GiftCents,
    amount_locked: z.boolean(),
    min_amount_cents: GiftCents,
    max_amount_cents: GiftCents,
  })
  .partial();
export type GiftTermsInput = z.infer<typeof GiftTermsInput>;
