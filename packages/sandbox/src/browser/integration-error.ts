/** The page's author did something wrong; thrown or rejected, as Stripe does. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError';
}
