import { z } from 'zod';
import { PersonName } from './field.ts';
import { MAX_GIFT_CENTS, MIN_GIFT_CENTS } from './gift-terms.ts';

/** Body of `POST /payment-intents` (spec: Write endpoints). */
export const CreatePaymentIntent = z.strictObject({
  /** Whole cents. Bounds: docs/decisions/0004-gift-bounds.md */
  amount_cents: z.int().min(MIN_GIFT_CENTS).max(MAX_GIFT_CENTS),
  fund_id: z.string().min(1).max(100).optional(),
  donor_email: z.email().max(254).optional(),
  donor_name: PersonName.optional(),
  /**
   * Additive: the embed session that the gift is made under, so that its terms are enforced here
   * too and the gift is attributed to it. Left out where the bearer token is the session itself.
   */
  embed_session_id: z.string().min(1).max(100).optional(),
});
export type CreatePaymentIntent = z.infer<typeof CreatePaymentIntent>;

/** What the browser needs to take the card (spec: payment_intent). */
export const PaymentIntent = z.object({
  object: z.literal('payment_intent'),
  payment_intent_id: z.string(),
  client_secret: z.string(),
  publishable_key: z.string(),
  stripe_account_id: z.string(),
});
export type PaymentIntent = z.infer<typeof PaymentIntent>;
