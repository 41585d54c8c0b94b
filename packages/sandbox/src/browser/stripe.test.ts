/** Tests of payments with the stand-in for Stripe.js, from the card input to the authentication. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { type PageKit, openBrowser, skip } from '../../test-support/card-form-page.ts';

declare const kit: PageKit;

describe('confirmPayment', { skip }, async () => {
  const at = await openBrowser();
  const {
    card,
    confirm,
    dialog,
    field,
    openPage,
    createIntent,
    problems,
    result,
    stripe,
    submit,
    type,
  } = at;

  test('charges a card under a strict policy, and does not show its number to the page', async () => {
    await openPage();
    await field('Card number').click();
    await at.page.keyboard.type('4242424242424242');
    await at.page.keyboard.type('1240');
    await at.page.keyboard.type('123');
    assert.equal(await field('Card number').inputValue(), '4242 4242 4242 4242');
    assert.equal(await field('Expiration date').inputValue(), '12 / 40');
    assert.deepEqual(await submit(), { selectedPaymentMethod: 'card' });
    const intent = await createIntent();
    await confirm(intent);
    assert.equal((await result()).paymentIntent?.status, 'succeeded');
    const { latest_charge } = await stripe.paymentIntents.retrieve(intent.id, {
      expand: ['latest_charge'],
    });
    assert.equal((latest_charge as Stripe.Charge).billing_details.name, 'Ada');
    const events = await at.page.evaluate(() => kit.events);
    assert.deepEqual(events[0], ['ready', { elementType: 'payment' }]);
    assert.deepEqual(events.at(-1)?.[0] === 'change' && events.at(-1)?.[1], {
      elementType: 'payment',
      complete: true,
      empty: false,
      collapsed: false,
      value: { type: 'card' },
    });
    assert.ok(!JSON.stringify(events).includes('4242'));
    assert.deepEqual(problems, []);
  });

  test('reports missing input in the fields and to the page', async () => {
    await openPage();
    assert.deepEqual((await submit()).error, {
      type: 'validation_error',
      code: 'incomplete_number',
      message: 'Your card number is incomplete.',
    });
    await card().getByText('Your card number is incomplete.').waitFor();
    assert.equal(await field('Card number').getAttribute('aria-invalid'), 'true');
    const described = await field('Card number').getAttribute('aria-describedby');
    assert.equal(
      await card().locator(`#${described}`).textContent(),
      'Your card number is incomplete.',
    );
    await type('4242424242424241', '12 / 20', '1');
    assert.equal((await submit()).error?.code, 'invalid_number');
    await field('Card number').fill('4242424242424242');
    assert.equal((await submit()).error?.code, 'invalid_expiry_year_past');
    await field('Expiration date').fill('12 / 40');
    assert.equal((await submit()).error?.code, 'incomplete_cvc');
  });

  for (const [number, code] of [
    ['4000000000000002', 'card_declined'],
    ['4000000000000127', 'incorrect_cvc'],
  ] as const) {
    test(`keeps the input after the error ${code}, and accepts another card`, async () => {
      await openPage();
      await type(number);
      await submit();
      const intent = await createIntent();
      await confirm(intent);
      const { error } = await result();
      assert.deepEqual([error?.type, error?.code], ['card_error', code]);
      assert.equal(error?.payment_intent?.status, 'requires_payment_method');
      assert.notEqual(await field('Card number').inputValue(), '');
      await type('4242424242424242');
      await submit();
      await confirm(intent);
      assert.equal((await result()).paymentIntent?.status, 'succeeded');
    });
  }

  test('asks for authentication over the page; completing it pays', async () => {
    await openPage();
    await type('4000002500003155');
    await submit();
    await confirm(await createIntent());
    await dialog().getByText('TEST').waitFor();
    await dialog().getByText('$50.00').waitFor();
    const pageButton = at.page.getByRole('button', { name: 'Give' });
    await assert.rejects(pageButton.click({ trial: true, timeout: 300 }), /Timeout/);
    await dialog().getByRole('button', { name: 'Complete authentication' }).click();
    assert.equal((await result()).paymentIntent?.status, 'succeeded');
    assert.equal(await at.page.locator('dialog').count(), 0);
  });

  for (const [method, failAuthentication] of [
    ['the button', () => dialog().getByRole('button', { name: 'Fail authentication' }).click()],
    ['Escape', () => at.page.keyboard.press('Escape')],
  ] as const) {
    test(`fails the authentication by ${method}; the focus stays in the dialog`, async () => {
      await openPage();
      await type('4000002500003155');
      await submit();
      await confirm(await createIntent());
      await dialog().getByRole('button', { name: 'Complete authentication' }).waitFor();
      for (let presses = 0; presses < 5; presses += 1) await at.page.keyboard.press('Tab');
      assert.equal(await dialog().locator('button:focus').count(), 1);
      await failAuthentication();
      const { error } = await result();
      assert.equal(error?.code, 'payment_intent_authentication_failure');
      assert.equal(error?.payment_intent?.status, 'requires_payment_method');
    });
  }

  test('rejects an amount other than that of the elements', async () => {
    await openPage();
    await type('4242424242424242');
    await submit();
    const intent = await stripe.paymentIntents.create({ amount: 9900, currency: 'usd' });
    await confirm(intent);
    assert.match((await result()).error?.message ?? '', /amount .* does not match/);
    await at.page.evaluate(() => kit.elements.update({ amount: 9900 }));
    await confirm(intent);
    assert.equal((await result()).paymentIntent?.status, 'succeeded');
  });

  test('confirms only after elements.submit()', async () => {
    await openPage();
    await type('4242424242424242');
    await confirm(await createIntent());
    await assert.rejects(result(), /elements\.submit\(\) must be called/);
  });
});

describe('recurring payments', { skip }, async () => {
  const at = await openBrowser();
  const { confirm, dialog, openPage, problems, result, stripe, submit, type } = at;

  async function subscription() {
    const customer = await stripe.customers.create({ email: 'ada@example.org' });
    const product = await stripe.products.create({ name: 'Donation' });
    const recurring = { interval: 'month' } as const;
    const price_data = { currency: 'usd', product: product.id, unit_amount: 5000, recurring };
    return stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price_data }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      expand: ['latest_invoice.confirmation_secret'],
    });
  }

  test('pay the first invoice with elements that were changed from one payment', async () => {
    await openPage();
    await at.page.evaluate(() => kit.elements.update({ mode: 'subscription' }));
    await type('4242424242424242');
    await submit();
    const { id, latest_invoice } = await subscription();
    await confirm((latest_invoice as Stripe.Invoice).confirmation_secret as never);
    assert.equal((await result()).paymentIntent?.status, 'succeeded');
    assert.equal((await stripe.subscriptions.retrieve(id)).status, 'active');
  });

  test('save a card with confirmSetup after authentication, without charging it', async () => {
    await openPage();
    await at.page.evaluate(() => {
      kit.element.destroy();
      kit.elements = kit.stripe.elements({ mode: 'setup', currency: 'usd' });
      kit.elements.create('payment').mount('#card');
    });
    await type('4000002500003155');
    await submit();
    const customer = await stripe.customers.create();
    const setup = await stripe.setupIntents.create({ customer: customer.id });
    await at.page.evaluate((clientSecret) => {
      kit.result = kit.stripe.confirmSetup({
        elements: kit.elements,
        clientSecret,
        redirect: 'if_required',
      });
    }, setup.client_secret);
    await dialog().getByRole('button', { name: 'Complete authentication' }).click();
    assert.equal((await result()).setupIntent?.status, 'succeeded');
    const { payment_method } = await stripe.setupIntents.retrieve(setup.id, {
      expand: ['payment_method'],
    });
    const method = payment_method as Stripe.PaymentMethod;
    assert.deepEqual([method.card?.last4, method.customer], ['3155', customer.id]);
    assert.deepEqual((await stripe.charges.list()).data.length, 1);
    assert.deepEqual(problems, []);
  });

  test('are rejected by elements that were created for one payment', async () => {
    await openPage();
    await type('4242424242424242');
    await submit();
    const { latest_invoice } = await subscription();
    await confirm((latest_invoice as Stripe.Invoice).confirmation_secret as never);
    assert.match((await result()).error?.message ?? '', /setup_future_usage .* does not match/);
  });
});
