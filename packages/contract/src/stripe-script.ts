/** Stripe's browser script (Stripe.js), in the version with which the elements are tested. */
export const STRIPE_SCRIPT = 'https://js.stripe.com/endive/stripe.js';
