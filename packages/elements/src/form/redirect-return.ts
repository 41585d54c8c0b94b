import { DEFAULT_FORM } from '@connect-embed/contract/default-form';
import type { FormAddress } from './load-form.ts';
import { RETURN_PARAMETER as FORM } from './pending-payment.ts';

/** Query parameters that Stripe adds to `return_url` after a bank redirect. */
const STRIPE_PARAMETERS = ['payment_intent', 'payment_intent_client_secret', 'redirect_status'];

/**
 * The return URL for a bank redirect: this page, with the form's name as a query parameter. A page
 * without an address of its own cannot be returned to, so there it is the form's giving page.
 */
export function returnUrl({ server, name }: FormAddress): string {
  const isHere = hasOwnAddress();
  const url = new URL(isHere ? location.href : givingPage(server, name));
  for (const parameter of STRIPE_PARAMETERS) url.searchParams.delete(parameter);
  url.searchParams.set(FORM, name || (isHere ? '' : DEFAULT_FORM));
  return url.href;
}

/** Whether the page can be opened by its address. A frame with `srcdoc`, for example, cannot. */
export const hasOwnAddress = () => /^https?:$/.test(location.protocol);

/** The address of a form's giving page: `packages/donor-pages/src/giving-page/pages.ts`. */
export const givingPage = (server: string, name: string | null) =>
  `${server}/give/${(name || DEFAULT_FORM).split('/').map(encodeURIComponent).join('/')}`;

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
