import { z } from 'zod';
import { Reference } from './donation-reference.ts';
import { pageUrl, Timestamp } from './field-schemas.ts';
import { CreatePaymentIntent } from './payment-intent.ts';

const ReturnUrl = pageUrl(/^https?$/, 'must be an http or https URL.');

/**
 * Body of `POST /checkout-sessions`: a one-time donation through a form, for a donor whose browser runs
 * no JavaScript: docs/decisions/0100-giving-pages.md
 */
export const CreateCheckoutSession = CreatePaymentIntent.omit({ frequency: true })
  // Stripe asks the donor for a missing address, which would not be recorded.
  .required({ embed_session_id: true, donor_email: true })
  .extend({
    /**
     * `{REFERENCE}` in it is replaced with the reference of the donation, and `{CHECKOUT_SESSION_ID}` with the
     * id of the session.
     */
    success_url: ReturnUrl,
    cancel_url: ReturnUrl,
  });
export type CreateCheckoutSession = z.infer<typeof CreateCheckoutSession>;

/** A session of Stripe Checkout, the payment page on which the donor pays. */
export const CheckoutSession = z.object({
  id: z.string(),
  object: z.literal('checkout_session'),
  /** Complete once the donor has paid. An expired page accepts no payment. */
  status: z.enum(['open', 'complete', 'expired']),
  /** The payment page. Null unless it is open. */
  url: z.string().nullable(),
  expires_at: Timestamp,
  /** The donation's reference for people, such as `K7QM-4XTZ`. */
  reference: Reference,
});
export type CheckoutSession = z.infer<typeof CheckoutSession>;
