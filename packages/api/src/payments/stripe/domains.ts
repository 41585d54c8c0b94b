import type Stripe from 'stripe';
import type { Client } from './client.ts';

/** A payment method domain, with the status of Apple Pay and Google Pay on it. */
export interface DomainState {
  id: string;
  domain: string;
  applePay: string;
  googlePay: string;
  problem: string | null;
}

/**
 * Part of the processor client: payment method domains, on which Apple Pay and Google Pay may be
 * shown. Each connected account has its own list.
 */
export const domains = ({ stripe, call, listAll }: Client) => ({
  /** Registers a domain. A domain that is registered but not active is validated again. */
  async registerDomain(domain_name: string, stripeAccount: string): Promise<DomainState> {
    const created = await call(() =>
      stripe.paymentMethodDomains.create({ domain_name }, { stripeAccount }),
    );
    if (isActive(created)) return toState(created);
    return toState(
      await call(() => stripe.paymentMethodDomains.validate(created.id, {}, { stripeAccount })),
    );
  },

  async listDomains(stripeAccount: string): Promise<DomainState[]> {
    const all = await listAll((after) =>
      stripe.paymentMethodDomains.list(after, { stripeAccount }),
    );
    return all.map(toState);
  },
});

const isActive = ({ apple_pay, google_pay }: Stripe.PaymentMethodDomain) =>
  apple_pay.status === 'active' && google_pay.status === 'active';

const toState = (domain: Stripe.PaymentMethodDomain): DomainState => ({
  id: domain.id,
  domain: domain.domain_name,
  applePay: domain.apple_pay.status,
  googlePay: domain.google_pay.status,
  problem: domain.apple_pay.status_details?.error_message ?? null,
});
