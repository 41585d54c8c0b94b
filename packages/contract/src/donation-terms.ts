import { z } from 'zod';
import { DEFAULT_FEE } from './fee-cover.ts';

/** Bounds of one gift in minor units: docs/decisions/0004-gift-bounds.md */
export const MIN_DONATION_CENTS = 50;
export const MAX_DONATION_CENTS = 99_999_999;

/** How often a gift is given; `one_time` is once. */
export const FREQUENCIES = ['one_time', 'monthly', 'quarterly', 'yearly'] as const;
export const Frequency = z.enum(FREQUENCIES);
export type Frequency = z.infer<typeof Frequency>;

/** May a donor add the processor's fee to the gift; `preselected` is ticked until they untick it. */
export const FEE_COVER_MODES = ['off', 'offered', 'preselected'] as const;

/** What a page's own address may fill in, where the form says so. Never a target or a bound. */
export const URL_PREFILL_FIELDS = [
  'donor_name',
  'donor_email',
  'amount_cents',
  'frequency',
  'fund_id',
] as const;

/** When a form fetches the card processor's script, the most reserved first. */
export const CARD_LOADING_MODES = ['interaction', 'visible', 'eager'] as const;
export type CardLoadingMode = (typeof CARD_LOADING_MODES)[number];

const DonationCents = z.int().min(MIN_DONATION_CENTS).max(MAX_DONATION_CENTS);
const PresetAmounts = z.array(DonationCents).max(12);

/** One of the funds that a donor may choose between. */
export const FundChoice = z.object({ id: z.string(), name: z.string() });
export type FundChoice = z.infer<typeof FundChoice>;

/**
 * What a form lets a donor give: fixed on the server, never by the page (spec: Write endpoints).
 *
 * Every field is always present in an answer; `applyDonationTerms` holds a gift against it.
 */
export const DonationTerms = z.object({
  /** The fund of every donation; with null only `fund_choices` may be named, and without choices no fund. */
  fund_id: z.string().nullable(),
  campaign_id: z.string().nullable(),
  /** Amounts offered, in this order; the first one given by `default_amount_cents` is chosen. */
  preset_amounts_cents: z.array(z.int()),
  default_amount_cents: z.int().nullable(),
  /** True: only the preset amounts can be given. */
  amount_locked: z.boolean(),
  min_amount_cents: z.int(),
  max_amount_cents: z.int(),
  // From here on with defaults: terms that were kept before these fields were known stay good.
  /** Offered in this order. */
  frequencies: z.array(Frequency).default(['one_time']),
  default_frequency: Frequency.default('one_time'),
  /** Amounts of one frequency, in place of `preset_amounts_cents`. */
  preset_amounts_by_frequency: z.partialRecord(Frequency, z.array(z.int())).default({}),
  fee_cover: z.enum(FEE_COVER_MODES).default('off'),
  /** Hundredths of a percent of what is charged. */
  fee_cover_basis_points: z.int().default(DEFAULT_FEE.basis_points),
  /** Minor units for each charge. */
  fee_cover_fixed_cents: z.int().default(DEFAULT_FEE.fixed_cents),
  /** Funds to choose between; empty where there is no choice. */
  fund_choices: z.array(FundChoice).default([]),
  allow_dedication: z.boolean().default(false),
  allow_anonymous: z.boolean().default(false),
  allow_comment: z.boolean().default(false),
  prefill_from_url: z.array(z.enum(URL_PREFILL_FIELDS)).default([]),
  /** Where a donor is led after the gift, in place of the thank-you. */
  success_url: z.string().nullable().default(null),
  /**
   * From when on the card processor may learn of a visitor: the first act, the form in view, or the
   * page itself. A page may wait longer, never less: docs/decisions/0054-third-parties.md
   */
  card_loading: z.enum(CARD_LOADING_MODES).default('interaction'),
});
export type DonationTerms = z.infer<typeof DonationTerms>;

/** The same as asked for: everything may be left out. */
export const GiftTermsInput = z
  .strictObject({
    fund_id: z.string().min(1).max(100),
    campaign_id: z.string().min(1).max(100),
    preset_amounts_cents: PresetAmounts,
    default_amount_cents: DonationCents,
    amount_locked: z.boolean(),
    min_amount_cents: DonationCents,
    max_amount_cents: DonationCents,
    frequencies: z.array(Frequency).min(1).max(FREQUENCIES.length),
    default_frequency: Frequency,
    preset_amounts_by_frequency: z.partialRecord(Frequency, PresetAmounts),
    fee_cover: z.enum(FEE_COVER_MODES),
    fee_cover_basis_points: z.int().min(0).max(2000),
    fee_cover_fixed_cents: z.int().min(0).max(1000),
    fund_choice_ids: z.array(z.string().min(1).max(100)).max(20),
    allow_dedication: z.boolean(),
    allow_anonymous: z.boolean(),
    allow_comment: z.boolean(),
    prefill_from_url: z.array(z.enum(URL_PREFILL_FIELDS)).max(URL_PREFILL_FIELDS.length),
    success_url: z
      .url({ protocol: /^https$/, error: 'must be an https URL.' })
      .max(2000)
      .regex(/^[^\s\p{Cc}]*$/u, 'must be an https URL.') // No NUL, which a parser of URLs takes.
      .nullable(),
    card_loading: z.enum(CARD_LOADING_MODES),
  })
  .partial();
export type GiftTermsInput = z.infer<typeof GiftTermsInput>;
