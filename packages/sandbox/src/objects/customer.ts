import { newId, randomText } from '../ids.ts';
import type { Customer } from '../stripe-types.ts';

type CustomerInput = Partial<Pick<Customer, 'name' | 'email' | 'metadata'>>;

/** Creates a customer in Stripe's format. */
export const newCustomer = (created: number, input: CustomerInput): Customer => ({
  id: newId('cus'),
  object: 'customer',
  address: null,
  balance: 0,
  created,
  currency: null,
  customer_account: null,
  default_source: null,
  delinquent: false,
  description: null,
  discount: null,
  email: null,
  invoice_prefix: randomText(8).toUpperCase(),
  invoice_settings: {
    custom_fields: null,
    default_payment_method: null,
    footer: null,
    rendering_options: null,
  },
  livemode: false,
  metadata: {},
  name: null,
  next_invoice_sequence: 1,
  phone: null,
  preferred_locales: [],
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
  ...input,
});
