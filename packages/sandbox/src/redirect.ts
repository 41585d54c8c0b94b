/** The page of another provider, such as PayPal, on which a donor approves or cancels a payment. */
import { randomText } from './ids.ts';
import type { Ledger } from './ledger.ts';
import { StripeError, invalidParamError } from './stripe-error.ts';
import type { PaymentIntent, SetupIntent } from './stripe-types.ts';

/**
 * Returns a `next_action` in Stripe's format, with the URL of the simulated page.
 *
 * @throws {StripeError} 400 without a return URL
 */
export function redirectActionFor(
  ledger: Ledger,
  { id }: { id: string },
  return_url: string | undefined,
) {
  if (!return_url || !URL.canParse(return_url)) {
    throw invalidParamError(
      'return_url',
      'A `return_url` must be provided because this payment method redirects the customer.',
      'parameter_missing',
    );
  }
  const token = randomText(24);
  ledger.setHidden(id, { redirect_token: token });
  const account = encodeURIComponent(ledger.account);
  const url = `${ledger.url}/redirect/${account}/${id}/${token}`;
  return { type: 'redirect_to_url', redirect_to_url: { url, return_url } };
}

/** @throws {StripeError} 404 for an unknown link, or one that has been used */
export function findRedirectedIntent(
  ledger: Ledger,
  id: string,
  token: string,
): PaymentIntent | SetupIntent {
  const { redirect_token } = ledger.hidden<{ redirect_token: string }>(id);
  const intent =
    redirect_token === token &&
    ledger.find(id.startsWith('seti_') ? 'setup_intent' : 'payment_intent', id);
  if (intent && intent.next_action?.redirect_to_url) return intent;
  throw new StripeError(404, {
    type: 'invalid_request_error',
    message: 'This link does not exist, or it was used already.',
  });
}

/** Returns the return URL with the parameters that Stripe adds. */
export function returnUrlOf(
  { object, id, client_secret }: PaymentIntent | SetupIntent,
  returnUrl: string,
  isApproved: boolean,
): string {
  const url = new URL(returnUrl);
  url.searchParams.set(object, id);
  url.searchParams.set(`${object}_client_secret`, String(client_secret));
  url.searchParams.set('redirect_status', isApproved ? 'succeeded' : 'failed');
  return url.href;
}

/** Stripe's error when the donor cancels on the other page. */
export const CUSTOMER_DECLINE = {
  type: 'invalid_request_error',
  code: 'payment_method_customer_decline',
  message: 'The customer did not approve the payment. Please try again or use another method.',
} as const;
