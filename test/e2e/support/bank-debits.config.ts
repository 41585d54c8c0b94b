/**
 * A form with every payment method, for the campaign of the test; methods that do not fit the currency are not
 * offered.
 */
export default {
  forms: {
    default: {
      campaign_id: process.env['CAMPAIGN_ID'],
      preset_amounts_cents: [2500, 5000, 10_000],
      default_amount_cents: 5000,
      frequencies: ['one_time', 'monthly'],
      payment_method_types: ['card', 'paypal', 'sepa_debit', 'us_bank_account'],
    },
  },
};
