/**
 * The forms of the demo's nonprofit. A page only names a form; amounts, funds and campaigns are
 * configured here, on the server.
 */
export default {
  /** Origins that may embed. `npm start` adds its own if it uses other ports. */
  origins: ['http://localhost:4200', 'http://127.0.0.1:4200'],
  forms: {
    /** A form for donations to any fund. */
    default: {
      fund_choice_ids: ['fund_general', 'fund_meals', 'fund_kitchen'],
      preset_amounts_cents: [2500, 5000, 10_000, 25_000],
      default_amount_cents: 5000,
    },
    /** A form for donations to the fund of warm meals. */
    meals: {
      fund_id: 'fund_meals',
      preset_amounts_cents: [2500, 5000, 10_000, 25_000],
      default_amount_cents: 5000,
      min_amount_cents: 500,
      frequencies: ['one_time', 'monthly'],
      preset_amounts_by_frequency: { monthly: [1000, 2500, 5000, 10_000] },
      impact_texts: {
        1000: 'a weekend of meals for one child',
        2500: 'a weekend of meals for three children',
        5000: 'six weekends of meals for one child',
        10_000: 'twelve weekends of meals for one child',
        25_000: 'a weekend of meals for a classroom',
      },
      fee_cover: 'offered',
    },
    /** A form for tickets of a gala, with fixed amounts. */
    gala: {
      campaign_id: 'camp_winter',
      show_goal: true,
      preset_amounts_cents: [15_000, 30_000, 120_000],
      default_amount_cents: 15_000,
      amount_locked: true,
    },
  },
};
