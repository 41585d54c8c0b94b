/**
 * Configuration of the BFF with a single form. The limits of the card testing guard are raised,
 * because all donors come from one machine; the credential's rate limit is unchanged.
 */
const RAISED_LIMIT = { points: 1_000_000, seconds: 600 };

export default {
  forms: {
    default: { min_amount_cents: 100, payment_method_types: ['card', 'sepa_debit'] },
  },
  guard: {
    visitor: RAISED_LIMIT,
    address: RAISED_LIMIT,
    form: RAISED_LIMIT,
    organization: RAISED_LIMIT,
    iterations: 10,
  },
  limits: { visitor: RAISED_LIMIT, address: RAISED_LIMIT, form: RAISED_LIMIT },
};
