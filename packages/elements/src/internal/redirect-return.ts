import { RETURN_PARAMETER as FORM } from './pending-payment.ts';

/** What Stripe adds to `return_url` when a bank led the donor away and back. */
const STRIPE_PARAMETERS = ['payment_intent', 'payment_intent_client_secret', 'redirect_status'];

/** Where a bank sends the donor back to: this page, and on it the form named. */
export function returnUrl(form: string | null): string {
  const url = new URL(location.href);
  for (const name of STRIPE_PARAMETERS) url.searchParams.delete(name);
  url.searchParams.set(FORM, form ?? '');
  return url.href;
}

/** The client secret that a donor came back to this form with. */
export function findReturnSecret(form: string | null): string | undefined {
  const { searchParams } = new URL(location.href);
  const own = searchParams.get(FORM) === (form ?? '');
  return (own && searchParams.get('payment_intent_client_secret')) || undefined;
}

/**
 * Cleans the address, so that reloading or sharing the page does not repeat what was told. Not
 * before it was told: while the outcome is unknown, the secret is all that can still find it.
 */
export function cleanReturnUrl(): void {
  history.replaceState(history.state, '', urlWithoutReturn());
}

/** The address without what was added to it on the way to a bank and back. */
export function urlWithoutReturn(): URL {
  const url = new URL(location.href);
  for (const name of [...STRIPE_PARAMETERS, FORM]) url.searchParams.delete(name);
  return url;
}
