import type { Page } from 'playwright/test';
import type { Addresses } from '../../support/system.ts';
import { ACCOUNT, openStripe } from '../../support/processor.ts';

/**
 * Simulates a payment method that redirects to the bank, which the sandbox does not offer: the
 * confirmation gets no response in the page, the payment succeeds at the processor, and the return
 * URL has the parameters that Stripe documents.
 *
 * @param submit clicks Give
 * @returns the URL to which the bank redirects the donor
 */
export async function payAtBank(page: Page, system: Addresses, submit: () => Promise<void>) {
  let onRedirect!: (address: URL) => void;
  const redirected = new Promise<URL>((resolve) => (onRedirect = resolve));
  const confirm = `${system.sandbox}/v1/payment_intents/*/confirm*`;
  await page.route(confirm, (route) => {
    const body = new URLSearchParams(route.request().postData() ?? '');
    onRedirect(new URL(body.get('return_url')!));
    return new Promise<void>(() => {});
  });
  const intentResponse = page.waitForResponse(
    (response) => response.url().endsWith('/payment-intents') && response.status() === 201,
  );
  await submit();
  const intent = (await (await intentResponse).json()) as Record<string, string>;
  const returnUrl = await redirected;

  const { payment_intent_id: id = '', client_secret = '' } = intent;
  const paid = { payment_method: 'pm_card_visa', return_url: returnUrl.href };
  await openStripe(system.sandbox).paymentIntents.confirm(id, paid, { stripeAccount: ACCOUNT });
  returnUrl.searchParams.set('payment_intent', id);
  returnUrl.searchParams.set('payment_intent_client_secret', client_secret);
  returnUrl.searchParams.set('redirect_status', 'succeeded');
  return returnUrl;
}
