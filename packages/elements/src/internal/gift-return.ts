/** What Stripe adds to `return_url` when a bank led the donor away and back. */
const PARAMETERS = ['payment_intent', 'payment_intent_client_secret', 'redirect_status'];
/** Ours: which form of the page the donor comes back to. */
const FORM = 'connect_form';

/** Where a bank sends the donor back to: this page, and on it the form named. */
export function returnUrl(form: string | null): string {
  const url = new URL(location.href);
  for (const name of PARAMETERS) url.searchParams.delete(name);
  url.searchParams.set(FORM, form ?? '');
  return url.href;
}

/**
 * The client secret that a donor came back to this form with; the address is cleaned at once, so
 * that reloading or sharing the page does not repeat it.
 */
export function takeReturn(form: string | null): string | undefined {
  const url = new URL(location.href);
  const secret = url.searchParams.get('payment_intent_client_secret');
  if (!secret || url.searchParams.get(FORM) !== (form ?? '')) return undefined;
  for (const name of [...PARAMETERS, FORM]) url.searchParams.delete(name);
  history.replaceState(history.state, '', url);
  return secret;
}
