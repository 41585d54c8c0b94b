import type Stripe from 'stripe';
import { callStripe, type Client } from './client.ts';

/** A payment method domain, with the status of Apple Pay and Google Pay on it. */
interface DomainState {
  id: string;
  applePay: string;
  googlePay: string;
  applePayError: string | null;
}

/**
 * Part of the processor client: payment method domains, on which Apple Pay and Google Pay may be
 * shown. Each connected account has its own list.
 */
export const domains = ({ stripe }: Client) => ({
  /**
   * Registers a domain and returns its state. If the domain is registered but not active, Stripe
   * validates the domain again.
   */
  async registerDomain(domain_name: string, stripeAccount: string): Promise<DomainState> {
    const created = await callStripe(() =>
      stripe.paymentMethodDomains.create({ domain_name }, { stripeAccount }),
    );
    if (isActive(created)) return toState(created);
    return toState(
      await callStripe(() =>
        stripe.paymentMethodDomains.validate(created.id, {}, { stripeAccount }),
      ),
    );
  },
});

const isActive = ({ apple_pay, google_pay }: Stripe.PaymentMethodDomain) =>
  apple_pay.status === 'active' && google_pay.status === 'active';

const toState = (domain: Stripe.PaymentMethodDomain): DomainState => ({
  id: domain.id,
  applePay: domain.apple_pay.status,
  googlePay: domain.google_pay.status,
  applePayError: domain.apple_pay.status_details?.error_message ?? null,
});
