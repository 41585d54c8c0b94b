import { callStripe, listAll, type Client } from './client.ts';
import { ignoreCode } from './errors.ts';

/** Keys of metadata that are about the payment, not the person. All others are erased with a donor. */
const PAYMENT_KEYS = new Set([
  'organization_id',
  'plan_id',
  'fund_id',
  'campaign_id',
  'form_id',
  'form_name',
  'page_origin',
  'fee_cover',
  'fee_cover_cents',
  'amounts',
  'payment_method_types',
  'source',
  'source_id',
  'reference',
]);

/** Returns the change that removes all metadata about the person. An empty text removes a key. */
const personalMetadata = (metadata: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.keys(metadata)
      .filter((key) => !PAYMENT_KEYS.has(key))
      .map((key) => [key, '']),
  );

/** Part of the processor client: what Stripe stores about a donor. */
export const donorData = ({ stripe }: Client) => ({
  /** Changes the name and email address to which Stripe's own emails about a subscription are sent. */
  async updateCustomer(
    id: string,
    { name, email }: { name: string | null; email: string | null },
    stripeAccount: string,
  ): Promise<void> {
    await callStripe(async () => {
      await stripe.customers
        .update(id, { name: name ?? '', email: email ?? '' }, { stripeAccount })
        .catch(ignoreCode('resource_missing'));
    });
  },

  /**
   * Lists the ids of the customers that we created for an organization with an email address.
   *
   * @param email exactly as it was saved with the customer: Stripe distinguishes upper and lower case
   */
  async listCustomers(
    { organizationId, email }: { organizationId: string; email: string },
    stripeAccount: string,
  ): Promise<string[]> {
    const customers = await listAll((pageParams) =>
      stripe.customers.list({ ...pageParams, email }, { stripeAccount }),
    );
    return customers
      .filter(({ metadata }) => metadata['organization_id'] === organizationId)
      .map(({ id }) => id);
  },

  /** Lists the ids of a customer's subscriptions, ended ones too. */
  async listSubscriptionIds(customer: string, stripeAccount: string): Promise<string[]> {
    const subscriptions = await listAll((pageParams) =>
      stripe.subscriptions.list({ ...pageParams, customer, status: 'all' }, { stripeAccount }),
    );
    return subscriptions.map(({ id }) => id);
  },

  /** Deletes a customer with their saved cards, which also cancels their subscriptions. */
  async deleteCustomer(id: string, stripeAccount: string): Promise<void> {
    await callStripe(async () => {
      await stripe.customers.del(id, {}, { stripeAccount }).catch(ignoreCode('resource_missing'));
    });
  },

  /**
   * Removes name, email address and other data about the person from the metadata of a payment and of
   * its charges. Stripe copies the metadata to a charge when it is made.
   */
  async erasePaymentMetadata(id: string, stripeAccount: string): Promise<void> {
    const intent = await callStripe(() =>
      stripe.paymentIntents
        .retrieve(id, {}, { stripeAccount })
        .catch(ignoreCode('resource_missing')),
    );
    if (!intent) return;
    const charges = await listAll((pageParams) =>
      stripe.charges.list({ ...pageParams, payment_intent: id }, { stripeAccount }),
    );
    for (const charge of charges) {
      const metadata = personalMetadata(charge.metadata);
      if (Object.keys(metadata).length === 0) continue;
      await callStripe(() => stripe.charges.update(charge.id, { metadata }, { stripeAccount }));
    }
    const metadata = personalMetadata(intent.metadata);
    if (Object.keys(metadata).length === 0) return;
    await callStripe(() => stripe.paymentIntents.update(id, { metadata }, { stripeAccount }));
  },

  /** Removes the same from the metadata of a subscription. */
  async eraseSubscriptionMetadata(id: string, stripeAccount: string): Promise<void> {
    await callStripe(async () => {
      const subscription = await stripe.subscriptions
        .retrieve(id, {}, { stripeAccount })
        .catch(ignoreCode('resource_missing'));
      const metadata = personalMetadata(subscription?.metadata ?? {});
      if (Object.keys(metadata).length === 0) return;
      await stripe.subscriptions
        .update(id, { metadata }, { stripeAccount })
        .catch(ignoreCode('resource_missing'));
    });
  },
});
