import { z } from 'zod';
import { PersonName } from './field-schemas.ts';
import { Frequency, MAX_DONATION_CENTS, MIN_DONATION_CENTS } from './donation-terms.ts';
import { Reference } from './donation-reference.ts';

/** The processor's own bounds of metadata are 50 keys, 40 and 500 characters; the rest is ours. */
const MAX_METADATA_KEYS = 20;

/** Keys that we write ourselves: a caller's would be taken for what we know. */
const RESERVED_METADATA_KEYS =
  /^(organization_id|fund_id|campaign_id|donor_name|donor_email|source|source_id|frequency|plan_id|fee_cover_cents|fee_cover|reference)$/;

/**
 * What else is to be known of a gift, kept with it at the processor. A form takes `dedication`,
 * `comment` and `anonymous` (`true`), each where its terms allow; other callers use keys of their own.
 */
export const DonationMetadata = z
  .record(
    z
      .string()
      .regex(/^[\w.-]{1,40}$/, 'must be up to 40 letters, digits, _ . or -')
      .refine((key) => !RESERVED_METADATA_KEYS.test(key), 'is a key of ours.'),
    z
      .string()
      .min(1)
      .max(500)
      .regex(/^(?:\P{Cc}|\n)*$/u, 'must not contain control characters.'),
  )
  .refine((all) => Object.keys(all).length <= MAX_METADATA_KEYS, 'has more than 20 keys.');
export type DonationMetadata = z.infer<typeof DonationMetadata>;

/** Body of `POST /payment-intents` (spec: Write endpoints). */
export const CreatePaymentIntent = z.strictObject({
  /** Whole cents. Bounds: docs/decisions/0004-gift-bounds.md */
  amount_cents: z.int().min(MIN_DONATION_CENTS).max(MAX_DONATION_CENTS),
  fund_id: z.string().min(1).max(100).optional(),
  donor_email: z.email().max(254).optional(),
  donor_name: PersonName.optional(),
  /** Additive: how often; the first gift of a plan is made now. `one_time` when left out. */
  frequency: Frequency.optional(),
  /** Additive: the part of `amount_cents` that covers the processor's fee. */
  fee_cover_cents: z.int().min(0).max(MAX_DONATION_CENTS).optional(),
  metadata: DonationMetadata.optional(),
  /**
   * Additive: the embed session that the gift is made under, so that its terms are enforced here
   * too and the gift is attributed to it. Left out where the bearer token is the session itself.
   */
  embed_session_id: z.string().min(1).max(100).optional(),
});
export type CreatePaymentIntent = z.infer<typeof CreatePaymentIntent>;

/** A field of a page's gift that people never see and never fill in; programs do. */
export const Trap = z.strictObject({ website: z.string().max(2048).optional() });

/** What the browser needs to take the card (spec: payment_intent). */
export const PaymentIntent = z.object({
  object: z.literal('payment_intent'),
  payment_intent_id: z.string(),
  client_secret: z.string(),
  publishable_key: z.string(),
  stripe_account_id: z.string(),
  /** Additive: names the donation to people from the first response on, such as `K7QM-4XTZ`. */
  reference: Reference,
});
export type PaymentIntent = z.infer<typeof PaymentIntent>;

/**
 * What became of an intent: `GET /payment-intents/{id}`, additive. Nothing of the donor, so that
 * the session which made the gift may ask for it.
 */
export const PaymentIntentStatus = z.object({
  object: z.literal('payment_intent_status'),
  payment_intent_id: z.string(),
  /** As the processor has reported it so far. */
  status: z.enum(['open', 'failed', 'succeeded']),
  /** Null until the donation is recorded. */
  donation_id: z.string().nullable(),
  /** Null for an intent that was opened before references existed and is not paid yet. */
  reference: Reference.nullable(),
});
export type PaymentIntentStatus = z.infer<typeof PaymentIntentStatus>;
