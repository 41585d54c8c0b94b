/**
 * One form, for a crowd that comes from one machine. What the guard asks of people who try often has
 * its own tests; the pace of the credential stays as it is.
 */
const crowd = { points: 1_000_000, seconds: 600 };

export default {
  forms: { default: { min_amount_cents: 100 } },
  guard: { visitor: crowd, address: crowd, form: crowd, organization: crowd, iterations: 10 },
  limits: { visitor: crowd, address: crowd, form: crowd },
};
