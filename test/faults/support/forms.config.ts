/**
 * Configuration of the BFF with a single form. The limits of the card testing guard are raised,
 * because all donors come from one machine; the credential's rate limit is unchanged.
 */
const crowd = { points: 1_000_000, seconds: 600 };

export default {
  forms: { default: { min_amount_cents: 100 } },
  guard: { visitor: crowd, address: crowd, form: crowd, organization: crowd, iterations: 10 },
  limits: { visitor: crowd, address: crowd, form: crowd },
};
