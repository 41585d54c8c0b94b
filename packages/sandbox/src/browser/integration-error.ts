/** An error in the page's code, such as a missing option; thrown or rejected as in Stripe.js. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError';
}
