/** Forms in currencies with zero or three decimals; amounts are in minor units. */
export default {
  forms: {
    /** Yen have no decimals. */
    yen: {
      preset_amounts_cents: [1000, 3000, 10_000],
      min_amount_cents: 500,
      max_amount_cents: 1_000_000,
      fee_cover: 'offered',
    },
    /** Kuwaiti dinars have three decimals; the processor accepts multiples of ten fils only. */
    dinar: {
      preset_amounts_cents: [5000, 10_000, 25_000],
      min_amount_cents: 1000,
      max_amount_cents: 10_000_000,
      fee_cover: 'offered',
      fee_cover_fixed_cents: 100,
    },
  },
};
