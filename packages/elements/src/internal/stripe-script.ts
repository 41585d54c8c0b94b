import { addScript, hideNamedElement } from './script-tag.ts';

/** Live money is taken with the processor's own script and no other. */
const LIVE_ORIGIN = 'https://js.stripe.com/';

/**
 * Puts the processor's script on the page and waits until `window.Stripe` is there.
 *
 * `@stripe/stripe-js` would assign a bare string as the address, which a page under Trusted Types
 * refuses; it takes `window.Stripe` when it finds it. One that the page already has is kept.
 *
 * @throws {Error} when the script cannot be had: blocked, offline, or not allowed for live money
 */
export async function addStripeScript(url: string, livemode: boolean): Promise<void> {
  hideNamedElement('Stripe');
  if (window.Stripe) return;
  if (livemode && !url.startsWith(LIVE_ORIGIN)) {
    throw new Error(`A live form takes cards with ${LIVE_ORIGIN} only, not ${url}.`);
  }
  await addScript(url, () => Boolean(window.Stripe));
}
