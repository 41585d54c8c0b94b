/** Forms of organizations that do not count in hundredths: amounts are in the smallest unit. */
export default {
  forms: {
    /** Yen have no decimals. */
    yen: {
      preset_amounts_cents: [1000, 3000, 10_000],
      min_amount_cents: 500,
      max_amount_cents: 1_000_000,
      fee_cover: 'offered',
    },
    /** Kuwaiti dinars have three, of which the processor takes two. */
    dinar: {
      preset_amounts_cents: [5000, 10_000, 25_000],
      min_amount_cents: 1000,
      max_amount_cents: 10_000_000,
      fee_cover: 'offered',
      fee_cover_fixed_cents: 100,
    },
  },
};
