import type { Ledger } from '../ledger.ts';
import { newId } from '../ids.ts';
import { required, text } from '../params.ts';
import { action, filterBy, listAndRetrieve } from '../resource-routes.ts';
import { invalidParamError } from '../stripe-error.ts';
import type { PaymentMethodDomain } from '../stripe-types.ts';

/** A domain name with a dot, or `localhost`. */
const DOMAIN = /^(?=.{1,253}$)(localhost|([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63})$/i;

/**
 * `/v1/payment_method_domains` of the simulated Stripe API: domains that are registered for
 * wallets.
 */
export const paymentMethodDomains = () =>
  listAndRetrieve('payment_method_domain', filterBy('domain_name'))
    .post(
      '/',
      action({ domain_name: text }, ({ ledger, params }) =>
        registerDomain(ledger, required(params.domain_name, 'domain_name')),
      ),
    )
    .post(
      '/:id/validate',
      action({}, ({ ledger, id }) => ledger.find('payment_method_domain', id)),
    );

/** Returns the existing object if the domain is already registered, as at Stripe. */
function registerDomain(ledger: Ledger, domain_name: string): PaymentMethodDomain {
  if (!DOMAIN.test(domain_name))
    throw invalidParamError('domain_name', `Invalid domain: ${domain_name}`);
  const [existing] = ledger.listAll('payment_method_domain', { fields: { domain_name } });
  if (existing) return existing;
  const active = { status: 'active' } as const;
  return ledger.add({
    id: newId('pmd'),
    object: 'payment_method_domain',
    amazon_pay: active,
    apple_pay: active,
    created: ledger.now(),
    domain_name,
    enabled: true,
    google_pay: active,
    klarna: active,
    link: active,
    livemode: false,
    paypal: active,
  });
}
