/** Donors with subscriptions at the simulated Stripe. */
import type Stripe from 'stripe';
import {
  callSandboxAdmin,
  confirmInBrowser,
  createClient,
  startTestSandbox,
} from './start-sandbox.ts';

export const DAY_SECONDS = 24 * 60 * 60;

/** Returns id and client secret of the intent that pays the first invoice. */
export const intentOf = (invoice: Stripe.Subscription['latest_invoice']) => {
  const { confirmation_secret, payments } = invoice as Stripe.Invoice;
  const id = String(payments?.data[0]?.payment.payment_intent);
  return { id, client_secret: confirmation_secret?.client_secret ?? null };
};

/** Noon on the next 31 January that 28 days of February follow, in seconds since 1970. */
function endOfJanuary() {
  let year = new Date().getUTCFullYear() + 1;
  while (year % 4 !== 1) year += 1;
  return Date.UTC(year, 0, 31, 12) / 1000;
}

/** Starts a sandbox for one test, in which it is 31 January, with one donor. */
export async function startRecurringDonations() {
  const { url } = await startTestSandbox();
  const advance = (to: number) => callSandboxAdmin(url, '/clock', { to });
  await advance(endOfJanuary());
  return { ...(await recurringDonationsAt(url)), url, advance };
}

/** Creates a donor. */
export async function recurringDonationsAt(url: string, email = 'ada@example.org') {
  const stripe = createClient(url);
  const { id: customer } = await stripe.customers.create({ name: 'Ada', email });

  async function createSubscription(
    change: Partial<Stripe.SubscriptionCreateParams> = {},
    price: { currency: string; recurring: Stripe.PriceCreateParams.Recurring } = {
      currency: 'usd',
      recurring: { interval: 'month' },
    },
  ) {
    const { id: product } = await stripe.products.create({ name: 'Donation' });
    return stripe.subscriptions.create({
      customer,
      items: [{ price_data: { ...price, product, unit_amount: 2500 } }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      metadata: { organization_id: 'org_harbor' },
      expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments'],
      ...change,
    });
  }

  /** Starts a subscription and pays its first invoice. `at` is the start of its first period. */
  async function paid(
    card = '4242424242424242',
    recurring: Stripe.PriceCreateParams.Recurring = { interval: 'month' },
  ) {
    const started = await createSubscription({}, { currency: 'usd', recurring });
    const response = await confirmInBrowser(url, intentOf(started.latest_invoice), card);
    return { id: started.id, at: started.billing_cycle_anchor, response };
  }

  /** Makes the payment method of a test token that of a subscription. */
  async function useMethod(subscription: string, token: string) {
    const { id } = await stripe.paymentMethods.attach(token, { customer });
    await stripe.subscriptions.update(subscription, { default_payment_method: id });
  }

  const eventTypesOf = async (text: string) =>
    (await stripe.events.list({ limit: 100 })).data
      .filter(({ data }) => JSON.stringify(data).includes(text))
      .map(({ type }) => type);

  return { stripe, customer, createSubscription, paid, useMethod, eventTypesOf };
}
