import { z } from 'zod';
import {
  CampaignId,
  Cents,
  CreatedAt,
  Currency,
  EmailAddress,
  FundId,
  Livemode,
  MultilineText,
  PersonName,
  PublishableKey,
  Text,
  Timestamp,
  kind,
} from './field-schemas.ts';
import { LivemodeFilter } from './list-filters.ts';
import { ListQuery } from './list.ts';
import { Frequency, MAX_DONATION_CENTS, MIN_DONATION_CENTS } from './donation-terms.ts';
import { Reference } from './donation-reference.ts';

/**
 * Stripe limits metadata to 50 keys, 40 characters per key and 500 per value; the API's own keys
 * count among the 50. Therefore callers may set fewer keys.
 */
const MAX_METADATA_KEYS = 20;

/** Keys that the API sets itself: a caller must not be able to override them. */
const RESERVED_METADATA_KEYS =
  /^(organization_id|fund_id|campaign_id|form_id|form_name|page_origin|donor_name|donor_email|source|source_id|frequency|plan_id|fee_cover_cents|fee_cover|amounts|payment_method_types|reference)$/;

/**
 * Additional data of a donation, which is stored as metadata at Stripe. A form may send
 * `dedication`, `comment` and `anonymous` (`true`) if its terms allow them; other callers choose
 * their own keys. The donation has `dedication` and `comment`, too.
 */
export const DonationMetadata = z
  .record(
    z
      .string()
      .regex(/^[\w.-]{1,40}$/, 'must have at most 40 letters, digits, _ . or -')
      .refine((key) => !RESERVED_METADATA_KEYS.test(key), 'is a reserved key.'),
    MultilineText.min(1).max(500),
  )
  .refine((all) => Object.keys(all).length <= MAX_METADATA_KEYS, 'must have at most 20 keys.');
export type DonationMetadata = z.infer<typeof DonationMetadata>;

/** Body of `POST /payment-intents` (spec: Write endpoints). */
export const CreatePaymentIntent = z.strictObject({
  // Bounds: docs/decisions/0002-specification-gaps.md
  amount_cents: z
    .int()
    .min(MIN_DONATION_CENTS)
    .max(MAX_DONATION_CENTS)
    .describe('Amount in minor units. The payment processor may require more than the minimum.'),
  fund_id: z.string().min(1).max(100).optional().describe('Id of the fund.'),
  donor_email: EmailAddress.optional().describe('Email address of the donor.'),
  donor_name: PersonName.optional().describe('Name of the donor.'),
  frequency: Frequency.optional().describe(
    'How often the donor is charged, the first time immediately; `one_time` by default.',
  ),
  fee_cover_cents: z
    .int()
    .min(0)
    .max(MAX_DONATION_CENTS)
    .optional()
    .describe('The part of `amount_cents` that covers the processing fee.'),
  metadata: DonationMetadata.optional().describe(
    'Up to 20 values of your own, stored at the payment processor. The donation shows `dedication` and `comment`.',
  ),
  page_origin: z
    .string()
    .max(300)
    .refine((text) => URL.parse(text)?.origin === text, 'must be an origin, without a path.')
    .optional()
    .describe('Origin of the page on which the donor gave, such as `https://www.example.org`.'),
  embed_session_id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Id of the form’s session, whose terms apply. Omit it with the session’s own token.'),
});
export type CreatePaymentIntent = z.infer<typeof CreatePaymentIntent>;

/** Honeypot: a hidden field of the form that people leave empty and bots fill in. */
export const HoneypotField = z.strictObject({ website: z.string().max(2048).optional() });

/** The data with which the browser confirms the payment at Stripe (spec: payment_intent). */
export const PaymentIntent = z.object({
  object: kind('payment_intent'),
  payment_intent_id: z.string().describe('Id at the payment processor.'),
  client_secret: z.string().describe('Secret with which the donor’s browser confirms the payment.'),
  publishable_key: PublishableKey,
  stripe_account_id: z
    .string()
    .nullable()
    .describe(
      'The organization’s account at the payment processor, for its browser script. Null if the publishable key belongs to that account.',
    ),
  reference: Reference.describe(
    'Short code by which people identify the donation; it is on the thank-you page and the receipt.',
  ),
});
export type PaymentIntent = z.infer<typeof PaymentIntent>;

/**
 * Status of a payment intent: `GET /payment-intents/{id}`. It contains no donor data, so
 * the embed session that created the intent may load it.
 */
export const PaymentIntentStatus = z.object({
  object: kind('payment_intent_status'),
  payment_intent_id: z.string().describe('Id at the payment processor.'),
  status: z
    .enum(['open', 'processing', 'failed', 'succeeded'])
    .describe(
      '`processing`: confirmed, and the money arrives days later, as with a bank debit. `succeeded` once the payment processor has reported the payment.',
    ),
  expected_at: Timestamp.nullable()
    .optional()
    .describe('When the money of a `processing` payment is expected; null otherwise.'),
  donation_id: z.string().nullable().describe('Id of the donation; null until it is recorded.'),
  // Null for an unpaid intent from before references were introduced.
  reference: Reference.nullable().describe(
    'Short code by which people identify the donation; it is on the thank-you page and the receipt.',
  ),
});
export type PaymentIntentStatus = z.infer<typeof PaymentIntentStatus>;

/** The query of `GET /payment-intents`. Other payment intents cannot be listed: most were never confirmed. */
export const ProcessingPaymentQuery = ListQuery.extend({
  status: z
    .literal('processing', 'must be processing.')
    .describe('Only `processing`: payments that donors confirmed and whose money is on its way.'),
  livemode: LivemodeFilter,
});
export type ProcessingPaymentQuery = z.infer<typeof ProcessingPaymentQuery>;

/** A payment whose money is on its way. It becomes a donation when the money arrives, or fails. */
export const ProcessingPayment = z.object({
  id: z.string().describe('Id of the payment intent at the payment processor.'),
  object: kind('processing_payment'),
  amount_cents: Cents.describe('In minor units of the currency.'),
  currency: Currency,
  payment_method: Text.describe('Payment method as Stripe names it, such as `sepa_debit`.'),
  donor_name: Text.describe('Name of the donor.'),
  donor_email: Text.describe('Email address of the donor.'),
  fund_id: FundId,
  campaign_id: CampaignId,
  form_id: Text.describe('Id of the form through which the donor gave.'),
  recurring: z.boolean().describe('True for a payment of a recurring donation.'),
  expected_at: Timestamp.nullable().describe(
    'When the money is expected: a few business days after the donor confirmed the payment.',
  ),
  created_at: CreatedAt,
  reference: Reference.nullable().describe('Short code by which people identify the donation.'),
  livemode: Livemode,
});
export type ProcessingPayment = z.infer<typeof ProcessingPayment>;
