import { newId, randomText } from '../ids.ts';
import type { Mandate, PaymentMethod } from '../stripe-types.ts';

/**
 * Creates the permission of a donor to debit a bank account, in Stripe's format.
 *
 * @param url address of the sandbox
 * @param single amount of a permission for one payment; undefined for a saved method
 */
export function newMandate(
  accepted_at: number,
  url: string,
  method: PaymentMethod,
  single: { amount: number; currency: string } | undefined,
): Mandate {
  const id = newId('mandate');
  return {
    id,
    object: 'mandate',
    customer_acceptance: {
      accepted_at,
      online: { ip_address: '127.0.0.1', user_agent: 'Sandbox' },
      type: 'online',
    },
    livemode: false,
    payment_method: method.id,
    payment_method_details:
      method.type === 'sepa_debit'
        ? {
            type: method.type,
            sepa_debit: {
              reference: randomText(16).toUpperCase(),
              url: `${url}/mandates/${id}`,
            },
          }
        : { type: method.type, us_bank_account: {} },
    ...(single ? { single_use: single } : { multi_use: {} }),
    status: 'active',
    type: single ? 'single_use' : 'multi_use',
  };
}
