import type { Page } from 'playwright/test';
import Stripe from 'stripe';
import type { Addresses } from '../../support/house.ts';
import { ACCOUNT } from '../../support/processor.ts';

/**
 * A bank that wants a page of its own, which the sandbox has none of: the confirmation is never answered on
 * the page, the money is taken at the processor, and the way back is as Stripe documents it.
 *
 * @param press presses Give
 * @returns the address that the bank sends the donor to
 */
export async function payAtBank(page: Page, house: Addresses, press: () => Promise<void>) {
  let leave!: (address: URL) => void;
  const left = new Promise<URL>((resolve) => (leave = resolve));
  const confirm = `${house.sandbox}/v1/payment_intents/*/confirm*`;
  await page.route(confirm, (route) => {
    const body = new URLSearchParams(route.request().postData() ?? '');
    leave(new URL(body.get('return_url')!));
    return new Promise<void>(() => {});
  });
  const made = page.waitForResponse(
    (answer) => answer.url().endsWith('/payment-intents') && answer.status() === 201,
  );
  await press();
  const intent = (await (await made).json()) as Record<string, string>;
  const back = await left;

  const { payment_intent_id: id = '', client_secret = '' } = intent;
  const { hostname, port } = new URL(house.sandbox);
  const stripe = new Stripe('sk_test_sandbox', { host: hostname, port, protocol: 'http' });
  const paid = { payment_method: 'pm_card_visa', return_url: back.href };
  await stripe.paymentIntents.confirm(id, paid, { stripeAccount: ACCOUNT });
  back.searchParams.set('payment_intent', id);
  back.searchParams.set('payment_intent_client_secret', client_secret);
  back.searchParams.set('redirect_status', 'succeeded');
  return back;
}
