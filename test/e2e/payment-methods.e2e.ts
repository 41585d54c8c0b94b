import type { EmbedSession } from '@connect-embed/contract';
import { createCaller } from '../support/api-request.ts';
import { intentsOf } from '../support/donations.ts';
import { DonatePage } from './support/donate-page.ts';
import { expectAccessible } from './support/expect-accessible.ts';
import { expect, newEmail, test } from './support/fixtures.ts';

/** Payment methods besides cards: what the owner chooses is what donors see, and what the payment permits. */
test('a form and its payment intent have the same payment methods', async ({
  dashboard,
  page,
  system,
  monitor,
}) => {
  await dashboard.signIn();
  await dashboard.open('/payments');
  await expect(page.getByRole('checkbox', { name: /US bank account/ })).toBeVisible();
  await expectAccessible(page, 'the payment methods of the organization');

  const call = createCaller(system.api_base);
  const body = { payment_method_types: ['us_bank_account', 'paypal'] };
  const response = await call({ path: '/embed-sessions', body, token: system.api_key });
  const { embed_url } = (await response.json()) as EmbedSession;
  await page.addInitScript(recordElements);
  const donor = new DonatePage(page, system, monitor);
  await page.goto(embed_url);
  const email = newEmail();
  await donor.choose('$50');
  await donor.fill({ email, name: 'Mary Jackson' });
  await expectAccessible(page, 'a form with several payment methods');
  await donor.submitButton.click();
  await donor.expectThanks();

  const options = await page.evaluate(() => (window as unknown as Recorded).elementsOptions);
  const expected = ['card', 'link', 'paypal', 'us_bank_account'];
  expect(options.allowedPaymentMethodTypes).toEqual(expected);
  expect(await intentsOf(system, email)).toMatchObject([
    { allowed_payment_method_types: expected, payment_method_types: expected },
  ]);
});

interface Recorded {
  elementsOptions: { allowedPaymentMethodTypes?: string[] };
}

/** Runs in the page: keeps the options with which the form creates Stripe's fields. */
function recordElements() {
  type Stripe = (...parameters: unknown[]) => { elements: (options: object) => unknown };
  let original: Stripe | undefined;
  Object.defineProperty(window, 'Stripe', {
    configurable: true,
    get: () =>
      original &&
      Object.assign((...parameters: unknown[]) => {
        const stripe = original!(...parameters);
        const { elements } = stripe;
        stripe.elements = (elementsOptions) => {
          Object.assign(window, { elementsOptions });
          return elements.call(stripe, elementsOptions);
        };
        return stripe;
      }, original),
    set: (script: Stripe) => (original = script),
  });
}
