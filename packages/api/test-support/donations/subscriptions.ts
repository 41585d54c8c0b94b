import { randomUUID } from 'node:crypto';
import type { PaymentIntent } from '@connect-embed/contract';
import { type Api, eventually, stripeAt } from '../app/start-api.ts';

export const ACCOUNT = 'acct_harbor_street';
const ON_ACCOUNT = { stripeAccount: ACCOUNT };

const GOOD_CARD = '4242424242424242';
/** Functions that create recurring plans with the sandbox, as a donor's browser does. */
export function subscriptionHelpers(api: Api) {
  const { db, sandboxUrl } = api;
  const stripe = stripeAt(sandboxUrl);

  /** Creates a plan without paying its first payment. */
  async function createUnpaid(donation: object = {}, token?: string) {
    const donor_email = `${randomUUID()}@example.org`;
    const defaults = {
      amount_cents: 2500,
      frequency: 'monthly',
      donor_email,
      donor_name: 'Ana Ruiz',
    };
    const body = { ...defaults, ...donation };
    const response = await api.post('/payment-intents', token ?? ['payments:write'], body);
    if (response.status !== 201) throw new Error(await response.text());
    const intent = (await response.json()) as PaymentIntent;
    return { intent, email: donor_email };
  }

  /** Confirms a payment intent with a card, with the request that Stripe's card fields send. */
  async function pay({ payment_intent_id: id, client_secret }: PaymentIntent, card = GOOD_CARD) {
    const response = await fetch(`${sandboxUrl}/v1/payment_intents/${id}/confirm`, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_sandbox', 'stripe-account': ACCOUNT },
      body: new URLSearchParams({ client_secret, ...cardFields(card) }),
    });
    return ((await response.json()) as { status?: string }).status;
  }

  const rowOf = (email: string) =>
    db.selectFrom('recurring_plan').selectAll().where('donor_email', '=', email).executeTakeFirst();

  /** Creates a plan whose first donation is paid and recorded. */
  async function createActive(donation: object = {}, card = GOOD_CARD, token?: string) {
    const { intent, email } = await createUnpaid(donation, token);
    await pay(intent, card);
    const subscription = await eventually(async () => {
      const row = await rowOf(email);
      return row?.status === 'active' && row.payment_method_id ? row : undefined;
    });
    await eventually(async () => (await donationsOf(subscription.id))[0]);
    return { ...subscription, email };
  }

  const donationsOf = (planId: string) =>
    db
      .selectFrom('donation')
      .selectAll()
      .where('plan_id', '=', planId)
      .orderBy('created_at')
      .execute();

  /** Advances the sandbox's clock by `month`, `quarter`, `year` or a number of seconds. */
  async function advance(by: string | number) {
    const command = typeof by === 'number' ? { seconds: by } : { advance: by };
    const response = await fetch(`${sandboxUrl}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(command),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  const statusOf = (email: string, status: string) =>
    eventually(async () => {
      const row = await rowOf(email);
      return row?.status === status ? row : undefined;
    });

  const mailsOf = async (planId: string) =>
    (
      await db
        .selectFrom('mail')
        .leftJoin('donation', 'donation.id', 'mail.donation_id')
        .select('mail.kind')
        .where(({ or, eb }) =>
          or([eb('mail.plan_id', '=', planId), eb('donation.plan_id', '=', planId)]),
        )
        .orderBy('mail.created_at')
        .execute()
    ).map(({ kind }) => kind);

  /**
   * Submits a form of the manage page, as a browser does without JavaScript under `no-referrer`.
   */
  const submit = async (path: string, fields: Record<string, string> = {}) =>
    await api.app.request(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'null',
        'sec-fetch-site': 'same-origin',
      },
      body: new URLSearchParams(fields).toString(),
    });

  const openPage = async (path: string) => await (await api.app.request(path)).text();

  /** Replaces the card of the plan by a card that is always declined. */
  async function makeCardDecline(subscription: {
    processor_customer_id: string;
    processor_subscription_id: string;
  }) {
    const customer = subscription.processor_customer_id;
    const declinedCard = await stripe.paymentMethods.attach(
      'pm_card_chargeCustomerFail',
      { customer },
      ON_ACCOUNT,
    );
    const change = { default_payment_method: declinedCard.id };
    await stripe.subscriptions.update(subscription.processor_subscription_id, change, ON_ACCOUNT);
  }

  return {
    stripe,
    makeCardDecline,
    createUnpaid,
    pay,
    createActive,
    rowOf,
    donationsOf,
    advance,
    statusOf,
    mailsOf,
    submit,
    openPage,
    ON_ACCOUNT,
  };
}

export const cardFields = (number: string) => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': String(new Date().getFullYear() + 10),
  'payment_method_data[card][cvc]': '314',
});
