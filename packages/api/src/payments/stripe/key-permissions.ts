import type Stripe from 'stripe';

/** A permission that a restricted key needs. */
interface KeyPermission {
  /** The name on Stripe's page of API keys. */
  name: string;
  access: 'Read' | 'Write';
  /** A call that fails without the permission, and changes nothing with it. */
  probe: (stripe: Stripe) => Promise<unknown>;
}

/** Stripe checks the permission before it looks for the object. */
const NO_OBJECT = 'none';
const ONE = { limit: 1 };

const write = (name: string, probe: KeyPermission['probe']) =>
  ({ name, access: 'Write', probe }) as const;
const read = (name: string, probe: KeyPermission['probe']) =>
  ({ name, access: 'Read', probe }) as const;

/**
 * What a restricted key must be allowed to do. Permission for webhook endpoints is not needed: without
 * it, the owner creates the endpoint.
 */
export const KEY_PERMISSIONS: readonly KeyPermission[] = [
  write('Charges and Refunds', (stripe) => stripe.refunds.update(NO_OBJECT)),
  write('Customers', (stripe) => stripe.customers.update(NO_OBJECT)),
  write('Invoices', (stripe) => stripe.invoices.update(NO_OBJECT)),
  write('Payment Intents', (stripe) => stripe.paymentIntents.update(NO_OBJECT)),
  write('Payment Method Domains', (stripe) => stripe.paymentMethodDomains.update(NO_OBJECT)),
  write('Prices', (stripe) => stripe.prices.update(NO_OBJECT)),
  write('Products', (stripe) => stripe.products.update(NO_OBJECT)),
  write('Setup Intents', (stripe) => stripe.setupIntents.update(NO_OBJECT)),
  write('Subscriptions', (stripe) => stripe.subscriptions.update(NO_OBJECT)),
  read('Accounts', (stripe) => stripe.accounts.retrieveCurrent()),
  read('Balance Transaction Sources', (stripe) => stripe.balanceTransactions.list(ONE)),
  read('Disputes', (stripe) => stripe.disputes.list(ONE)),
  read('Events', (stripe) => stripe.events.list(ONE)),
  read('Payment Methods', (stripe) => stripe.paymentMethods.retrieve(NO_OBJECT)),
  read('Payouts', (stripe) => stripe.payouts.list(ONE)),
];

/** Returns the names of all permissions with one kind of access, for people. */
export const permissionNames = (access: KeyPermission['access']): string =>
  KEY_PERMISSIONS.filter((permission) => permission.access === access)
    .map(({ name }) => name)
    .join(', ');
