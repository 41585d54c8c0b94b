/** Bank debits at the simulated Stripe, for one test file. */
import type Stripe from 'stripe';
import type { BankAccount } from '../src/test-debits.ts';
import { ACCOUNT, type ConfirmResponse, createClient, waitFor } from './start-sandbox.ts';

export const IBAN = {
  succeeds: 'AT611904300234573201',
  succeedsLate: 'AT321904300235473204',
  fails: 'AT861904300235473202',
  failsLate: 'AT051904300235473205',
  disputed: 'AT591904300235473203',
} as const;

export const sepa = (iban: string): BankAccount => ({ type: 'sepa_debit', iban });

export const ACH = {
  type: 'us_bank_account',
  routing_number: '110000000',
  account_number: '000123456789',
} as const;

const CURRENCIES = { sepa_debit: 'eur', us_bank_account: 'usd' } as const;

export function bankDebitsAt(url: string) {
  const stripe = createClient(url);

  /** Creates an intent that offers cards and debits. */
  const createIntent = (
    type: BankAccount['type'],
    params: Partial<Stripe.PaymentIntentCreateParams> = {},
  ) =>
    stripe.paymentIntents.create({
      amount: 5000,
      currency: CURRENCIES[type],
      allowed_payment_method_types: ['card', type],
      ...params,
    });

  /** Confirms an intent as the payment frame does. */
  async function confirmDebit(
    intent: { id: string; client_secret: string | null },
    { type, ...numbers }: BankAccount,
    kind: 'payment_intents' | 'setup_intents' = 'payment_intents',
  ) {
    const fields = Object.entries(numbers).map(
      ([name, value]) => [`payment_method_data[${type}][${name}]`, value] as [string, string],
    );
    const response = await fetch(`${url}/v1/${kind}/${intent.id}/confirm`, {
      method: 'POST',
      headers: { authorization: 'Bearer pk_test_sandbox', 'stripe-account': ACCOUNT },
      body: new URLSearchParams([
        ['client_secret', intent.client_secret ?? ''],
        ['payment_method_data[type]', type],
        ['payment_method_data[billing_details][name]', 'Ada'],
        ['payment_method_data[billing_details][email]', 'ada@example.org'],
        ...fields,
      ]),
    });
    return { status: response.status, body: (await response.json()) as ConfirmResponse };
  }

  /** Returns the intent and its charge after the bank has decided. */
  async function settled(id: string) {
    const intent = await waitFor(async () => {
      const retrieved = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
      return retrieved.status !== 'processing' && retrieved;
    });
    return { intent, charge: intent.latest_charge as Stripe.Charge };
  }

  /** Types of the events whose object contains a text, oldest first. */
  const eventsOf = async (text: string) =>
    (await stripe.events.list({ limit: 100 })).data
      .filter(({ data }) => JSON.stringify(data.object).includes(text))
      .map(({ type }) => type)
      .reverse();

  return { stripe, createIntent, confirmDebit, settled, eventsOf };
}
