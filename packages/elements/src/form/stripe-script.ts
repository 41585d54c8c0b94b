import { addScript, hideNamedElement } from './script-tag.ts';

/** A live form accepts only Stripe's own script. */
const LIVE_ORIGIN = 'https://js.stripe.com/';

/**
 * Adds Stripe's script to the page and waits until `window.Stripe` is defined.
 *
 * `@stripe/stripe-js` would assign a plain string as the script's URL, which Trusted Types reject;
 * but it uses `window.Stripe` if it exists. A page's own `window.Stripe` is not replaced.
 *
 * @throws {Error} if the script cannot be loaded: blocked, offline, or another script than Stripe's
 *   on a live form
 */
export async function addStripeScript(url: string, livemode: boolean): Promise<void> {
  hideNamedElement('Stripe');
  if (window.Stripe) return;
  if (livemode && !url.startsWith(LIVE_ORIGIN)) {
    throw new Error(`A live form loads Stripe.js from ${LIVE_ORIGIN} only, not from ${url}.`);
  }
  await addScript(url, () => Boolean(window.Stripe));
}
