import { RETURN_PARAMETER as FORM } from './pending-payment.ts';

/** Query parameters that Stripe adds to `return_url` after a bank redirect. */
const STRIPE_PARAMETERS = ['payment_intent', 'payment_intent_client_secret', 'redirect_status'];

/** The return URL for a bank redirect: this page, with the form's name as a query parameter. */
export function returnUrl(form: string | null): string {
  const url = new URL(location.href);
  for (const name of STRIPE_PARAMETERS) url.searchParams.delete(name);
  url.searchParams.set(FORM, form ?? '');
  return url.href;
}

/** The client secret in the page's URL after a bank redirect, if it belongs to this form. */
export function findReturnSecret(form: string | null): string | undefined {
  const { searchParams } = new URL(location.href);
  const isOwn = searchParams.get(FORM) === (form ?? '');
  return (isOwn && searchParams.get('payment_intent_client_secret')) || undefined;
}

/**
 * Removes the return parameters from the page's URL, so that a reload or a shared link does not
 * show the result again. Called only once the outcome is known: until then the client secret is
 * needed to retrieve it.
 */
export function cleanReturnUrl(): void {
  history.replaceState(history.state, '', urlWithoutReturn());
}

/** The page's URL without the return parameters. */
export function urlWithoutReturn(): URL {
  const url = new URL(location.href);
  for (const name of [...STRIPE_PARAMETERS, FORM]) url.searchParams.delete(name);
  return url;
}
