import { newId } from '../ids.ts';
import type { Invoice, Subscription } from '../stripe-types.ts';
import { subscriptionItem } from './subscription.ts';

type Line = Invoice['lines']['data'][number];

/** Creates the invoice line for one period of a subscription, in Stripe's format. */
export function newInvoiceLine(invoice: string, subscription: Subscription): Line {
  const { id, price, quantity = 1, ...item } = subscriptionItem(subscription);
  const amount = (price.unit_amount ?? 0) * quantity;
  return {
    id: newId('il'),
    object: 'line_item',
    amount,
    currency: subscription.currency,
    description: `${quantity} × ${subscription.description ?? 'Subscription'}`,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: subscription.metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription: subscription.id,
        subscription_item: id,
      },
      type: 'subscription_item_details',
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: String(price.product) },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: String(quantity) as unknown as Line['quantity_decimal'],
    subscription: subscription.id,
    subtotal: amount,
    taxes: [],
  };
}
