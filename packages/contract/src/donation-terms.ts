import { z } from 'zod';
import { DEFAULT_FEE } from './fee-cover.ts';
import { describedAs, WholeNumber, pageUrl } from './field-schemas.ts';
import { PAYMENT_METHOD_TYPES } from './payment-method.ts';

/** Bounds of one donation in minor units: docs/decisions/0002-specification-gaps.md */
export const MIN_DONATION_CENTS = 50;
export const MAX_DONATION_CENTS = 99_999_999;
export const DONATION_BOUNDS_CENTS = { min: MIN_DONATION_CENTS, max: MAX_DONATION_CENTS };

/** How often a donor is charged; `one_time` is not a subscription. */
export const FREQUENCIES = ['one_time', 'monthly', 'quarterly', 'yearly'] as const;
export const Frequency = z.enum(FREQUENCIES);
export type Frequency = z.infer<typeof Frequency>;

export const FEE_COVER_MODES = ['off', 'offered', 'preselected'] as const;

/**
 * Fields that the query of the page's URL may prefill, if the form allows it. A URL never changes
 * the terms.
 */
export const URL_PREFILL_FIELDS = [
  'donor_name',
  'donor_email',
  'amount_cents',
  'frequency',
  'fund_id',
] as const;

/** Moments at which a form may load the card processor's script, the latest first. */
export const CARD_LOADING_MODES = ['interaction', 'visible', 'eager'] as const;
export type CardLoadingMode = (typeof CARD_LOADING_MODES)[number];

/** Highest fixed part of a fee, in minor units. */
export const MAX_FIXED_FEE_CENTS = 1000;

/** Most amounts of one frequency, and most funds, that donors choose from. */
export const MAX_PRESETS = 12;
export const MAX_FUND_CHOICES = 20;

const DonationCents = z.int().min(MIN_DONATION_CENTS).max(MAX_DONATION_CENTS);
const PresetAmounts = z.array(DonationCents).max(MAX_PRESETS);

/** A fund that a donor may choose. */
export const FundChoice = z.object({ id: z.string(), name: z.string() });
export type FundChoice = z.infer<typeof FundChoice>;

/**
 * The terms of a form: which donations it accepts. The server fixes them, never the page (spec:
 * Write endpoints).
 *
 * Responses contain every field. `applyDonationTerms` checks a donation against the terms.
 */
export const DonationTerms = z.object({
  fund_id: z
    .string()
    .nullable()
    .describe(
      'The fund of every donation. Without it, donors choose from `fund_choices`, if there are any.',
    ),
  campaign_id: z.string().nullable().describe('The campaign of every donation.'),
  preset_amounts_cents: z
    .array(z.int())
    .describe('The amounts that the form offers, in this order, in minor units.'),
  default_amount_cents: WholeNumber.describe('The amount that is selected at first.'),
  amount_locked: z.boolean().describe('If true, only the preset amounts are accepted.'),
  min_amount_cents: z.int().describe('The smallest amount that is accepted.'),
  max_amount_cents: z.int().describe('The largest amount that is accepted.'),
  // The fields below have defaults, so that stored terms from before these fields remain valid.
  frequencies: z
    .array(Frequency)
    .default(['one_time'])
    .describe('The frequencies that the form offers, in this order.'),
  default_frequency: Frequency.default('one_time').describe(
    'The frequency that is selected at first.',
  ),
  preset_amounts_by_frequency: z
    .partialRecord(Frequency, z.array(z.int()))
    .default({})
    .describe('Preset amounts of a frequency; they replace `preset_amounts_cents`.'),
  fee_cover: z
    .enum(FEE_COVER_MODES)
    .default('off')
    .describe(
      'Whether donors can cover the processing fee; with `preselected` the box is checked at first.',
    ),
  fee_cover_basis_points: z
    .int()
    .default(DEFAULT_FEE.basis_points)
    .describe('Variable part of the fee, in hundredths of a percent.'),
  fee_cover_fixed_cents: z
    .int()
    .default(DEFAULT_FEE.fixed_cents)
    .describe('Fixed part of the fee, in minor units.'),
  fund_choices: z.array(FundChoice).default([]).describe('The funds that donors choose from.'),
  allow_dedication: z
    .boolean()
    .default(false)
    .describe('Whether donors can dedicate the donation to somebody.'),
  allow_anonymous: z.boolean().default(false).describe('Whether donors can stay anonymous.'),
  allow_comment: z.boolean().default(false).describe('Whether donors can write a comment.'),
  prefill_from_url: z
    .array(z.enum(URL_PREFILL_FIELDS))
    .default([])
    .describe('Fields that the query of the page’s URL may fill in.'),
  success_url: z
    .string()
    .nullable()
    .default(null)
    .describe('Where donors are sent afterwards; null shows the thank-you page.'),
  show_goal: z
    .boolean()
    .default(false)
    .describe('Whether the form shows what its campaign has raised, and the goal.'),
  // The processor learns of the visitor when its script is loaded. A page may choose a later time,
  // never an earlier one: docs/decisions/0015-card-fields-and-wallets.md
  card_loading: z
    .enum(CARD_LOADING_MODES)
    .default('interaction')
    .describe('When the payment processor’s script is loaded.'),
  payment_method_types: z
    .array(z.enum(PAYMENT_METHOD_TYPES))
    .nullable()
    .default(null)
    .describe(
      'The payment methods that the form offers, if they are enabled; null for those that the organization has chosen.',
    ),
});
export type DonationTerms = z.infer<typeof DonationTerms>;

/** Terms in a request: all fields are optional. */
export const DonationTermsInput = z
  .strictObject(
    describedAs(DonationTerms, {
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
      fee_cover_fixed_cents: z.int().min(0).max(MAX_FIXED_FEE_CENTS),
      fund_choice_ids: z
        .array(z.string().min(1).max(100))
        .max(MAX_FUND_CHOICES)
        .describe('Ids of the funds that donors choose from.'),
      allow_dedication: z.boolean(),
      allow_anonymous: z.boolean(),
      allow_comment: z.boolean(),
      prefill_from_url: z.array(z.enum(URL_PREFILL_FIELDS)).max(URL_PREFILL_FIELDS.length),
      success_url: pageUrl(/^https$/, 'must be an https URL.').nullable(),
      show_goal: z.boolean(),
      card_loading: z.enum(CARD_LOADING_MODES),
      payment_method_types: z
        .array(z.enum(PAYMENT_METHOD_TYPES))
        .max(PAYMENT_METHOD_TYPES.length)
        .nullable(),
    }),
  )
  .partial();
export type DonationTermsInput = z.infer<typeof DonationTermsInput>;
