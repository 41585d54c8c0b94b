/** Descriptions of the fields of a donation. */
export const DONATION_FIELDS: Readonly<Record<string, string>> = {
  net_amount_cents:
    'Amount after fees, refunds and disputes; null until the fee is known, or if it is in another currency.',
  recurring: 'True for a payment of a recurring donation.',
  refund_status: 'Follows `refunded_amount_cents`.',
  refunded_amount_cents: 'The refunded part of the amount, in minor units.',
  dispute_status: 'State of a dispute that the donor’s bank opened.',
  fund_name: 'Name of the fund.',
  contact_id: 'Id of the donor.',
  source_id: 'Id of the session or credential that created the donation.',
  fee_cents: 'Processing fees so far, in minor units; null until they are known.',
  dispute_fee_cents: 'The part of `fee_cents` that disputes cost.',
  disputed_amount_cents:
    'The part of the amount that the donor’s bank took back and did not return, in minor units.',
  settlement_currency:
    'Currency in which the payment was added to the account’s balance; null if it is the donation’s. The fee and net amount of such a donation are known in this currency only.',
  settlement_amount_cents: 'The payment in `settlement_currency`, before fees.',
  settlement_fee_cents: 'The fees in `settlement_currency`.',
  settlement_net_cents: 'Amount after fees, refunds and disputes in `settlement_currency`.',
  exchange_rate: 'Units of `settlement_currency` for one unit of `currency`.',
  payment_method: 'Payment method as Stripe names it, such as `card`.',
  card_brand: 'Card brand as Stripe names it, such as `visa`; null without a card.',
  payout_id:
    'Id of the payout that includes the donation; null until it is known. If that payout fails, the id of the one that pays the money later.',
  campaign_name: 'Name of the campaign.',
};
