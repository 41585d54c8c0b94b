/** Tests of bank debits and PayPal with the stand-in for Stripe.js, from the choice to the payment. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type Stripe from 'stripe';
import { type PageKit, openBrowser, skip } from '../../test-support/card-form-page.ts';

declare const kit: PageKit;

const ALL = ['card', 'paypal', 'sepa_debit', 'us_bank_account'] as const;

describe('the choice of payment methods', { skip }, async () => {
  const at = await openBrowser();
  const { card, confirm, field, openPage, problems, result, stripe, submit, type } = at;

  /** Opens the page with elements that offer these methods. */
  async function openWith(allowed: readonly string[], currency = 'eur', order: string[] = []) {
    await openPage();
    await at.page.evaluate(
      ([allowedPaymentMethodTypes, elementsCurrency, paymentMethodOrder]) => {
        kit.element.destroy();
        const options = { mode: 'payment', amount: 5000, currency: elementsCurrency };
        kit.elements = kit.stripe.elements({ ...options, allowedPaymentMethodTypes });
        kit.element = kit.elements.create('payment', {
          fields: { billingDetails: 'never' },
          paymentMethodOrder,
        });
        kit.element.on('change', (event) => kit.events.push(['change', event]));
        const ready = new Promise((resolve) => kit.element.on('ready', resolve));
        kit.element.mount('#card');
        return ready;
      },
      [allowed, currency, order] as const,
    );
  }

  const createIntent = (currency = 'eur') =>
    stripe.paymentIntents.create({
      amount: 5000,
      currency,
      allowed_payment_method_types: [...ALL],
    });

  const choose = (name: string) => card().getByRole('radio', { name }).check();

  const offered = () =>
    card()
      .getByRole('radio')
      .evaluateAll((radios) => radios.map((radio) => (radio as HTMLInputElement).value));

  const lastChange = () => at.page.evaluate(() => kit.events.at(-1)?.[1]);

  test('shows only the card fields if nothing else fits, at the same height', async () => {
    await openPage();
    const heightOf = () => at.page.locator('iframe').evaluate((frame) => frame.style.height);
    await at.page.waitForFunction(
      () => (document.querySelector('iframe')?.offsetHeight ?? 0) > 150,
    );
    const before = await heightOf();
    await openWith(
      ALL.filter((each) => each !== 'paypal'),
      'gbp',
    );
    assert.deepEqual(await offered(), []);
    await at.page.waitForFunction(
      (height) => document.querySelector('iframe')?.style.height === height,
      before,
    );
    assert.equal(await card().locator('fieldset').count(), 0);
  });

  test('lists the methods that fit the currency; the card is selected', async () => {
    await openWith(ALL, 'eur', ['paypal', 'card']);
    assert.deepEqual(await offered(), ['paypal', 'card', 'sepa_debit']);
    const group = card().getByRole('group', { name: 'Payment method' });
    assert.equal(await group.getByRole('radio', { name: 'Card' }).isChecked(), true);
    await field('Card number').waitFor();
    await at.page.evaluate(() => kit.elements.update({ currency: 'usd' }));
    await card().getByRole('radio', { name: 'US bank account' }).waitFor();
    assert.deepEqual(await offered(), ['paypal', 'card', 'us_bank_account']);
  });

  test('is laid out from right to left in a language that is written so', async () => {
    await openWith(ALL);
    const radio = card().getByRole('radio', { name: 'Card' });
    const label = card().getByText('Card', { exact: true });
    const isOnTheRight = async () =>
      (await radio.boundingBox())!.x > (await label.boundingBox())!.x + 100;
    assert.equal(await isOnTheRight(), false);
    await at.page.evaluate(() => kit.elements.update({ locale: 'ar' }));
    await card().locator('html[dir=rtl]').waitFor();
    assert.equal(await isOnTheRight(), true);
    const direction = (node: Element) => getComputedStyle(node).direction;
    assert.equal(await field('Card number').evaluate(direction), 'ltr');
    await at.page.evaluate(() => kit.elements.update({ locale: 'auto' }));
    await card().locator('html[dir=ltr]').waitFor();
  });

  test('goes back to the card if the selected method is no longer offered', async () => {
    await openWith(ALL);
    await choose('SEPA debit');
    await at.page.evaluate(() => kit.elements.update({ currency: 'usd' }));
    await field('Card number').waitFor();
    await at.page.waitForFunction(() => kit.events.at(-1)?.[1].value?.type === 'card');
  });

  test('works by keyboard, and tells the page which method is selected and complete', async () => {
    await openWith(ALL);
    await card().getByRole('radio', { name: 'Card' }).focus();
    await at.page.keyboard.press('ArrowDown');
    await at.page.waitForFunction(() => kit.events.at(-1)?.[1].value?.type === 'paypal');
    assert.equal((await lastChange())?.complete, true);
    await at.page.keyboard.press('ArrowDown');
    await at.page.waitForFunction(() => kit.events.at(-1)?.[1].value?.type === 'sepa_debit');
    assert.equal((await lastChange())?.complete, false);
    await at.page.keyboard.press('Tab');
    await at.page.keyboard.type('at61 1904 3002 3457 3201');
    assert.equal(await field('IBAN').inputValue(), 'AT61 1904 3002 3457 3201');
    await at.page.waitForFunction(() => kit.events.at(-1)?.[1].complete === true);
    assert.ok(!JSON.stringify(await at.page.evaluate(() => kit.events)).includes('3201'));
    await card().getByText('you authorize the recipient').waitFor();
  });

  test('reports an invalid bank account in its field and to the page', async () => {
    await openWith(ALL);
    await choose('SEPA debit');
    assert.equal((await submit()).error?.code, 'incomplete_iban');
    await field('IBAN').fill('AT611904300234573202');
    assert.equal((await submit()).error?.code, 'invalid_iban');
    const iban = field('IBAN');
    assert.equal(await iban.getAttribute('aria-invalid'), 'true');
    const description = String(await iban.getAttribute('aria-describedby'));
    assert.equal(await card().locator(`#${description}`).textContent(), 'Your IBAN is invalid.');
  });

  test('debits a bank account in the euro area, which is processing', async () => {
    await openWith(ALL);
    await choose('SEPA debit');
    await field('IBAN').fill('AT321904300235473204');
    assert.deepEqual(await submit(), { selectedPaymentMethod: 'sepa_debit' });
    const intent = await createIntent();
    await confirm(intent);
    assert.equal((await result()).paymentIntent?.status, 'processing');
    const retrieved = await at.page.evaluate(
      (secret) => kit.stripe.retrievePaymentIntent(String(secret)),
      intent.client_secret,
    );
    assert.equal(retrieved.paymentIntent?.status, 'processing');
  });

  test('debits a bank account in the United States', async () => {
    await openWith(ALL, 'usd');
    await choose('US bank account');
    await field('Routing number').fill('110000001');
    assert.equal((await submit()).error?.code, 'invalid_routing_number');
    await field('Routing number').fill('110000000');
    await field('Account number').fill('000123456789');
    await submit();
    await confirm(await createIntent('usd'));
    assert.equal((await result()).paymentIntent?.status, 'processing');
  });

  test('shows an error of the processor, after which a card pays', async () => {
    await openWith(ALL);
    await choose('SEPA debit');
    await field('IBAN').fill('DE89370400440532013000');
    await submit();
    const intent = await createIntent();
    await confirm(intent);
    const { error } = await result();
    assert.equal(error?.code, 'payment_method_invalid_parameter_testmode');
    await choose('Card');
    await type('4242424242424242');
    await submit();
    await confirm(intent);
    assert.equal((await result()).paymentIntent?.status, 'succeeded');
  });

  for (const [button, status, redirectStatus] of [
    ['Confirm', 'succeeded', 'succeeded'],
    ['Cancel', 'requires_payment_method', 'failed'],
  ] as const) {
    test(`leaves for PayPal and returns: ${button}`, async () => {
      await openWith(ALL);
      await choose('PayPal');
      assert.deepEqual(await submit(), { selectedPaymentMethod: 'paypal' });
      const intent = await createIntent();
      await at.page.evaluate((clientSecret) => {
        const return_url = new URL('/thanks?form=main', location.href).href;
        const confirmParams = { return_url };
        const options = { elements: kit.elements, clientSecret, confirmParams };
        void kit.stripe.confirmPayment({ ...options, redirect: 'if_required' });
      }, intent.client_secret);
      await at.page.getByRole('heading', { name: 'PayPal' }).waitFor();
      await at.page.getByText('€50.00').waitFor();
      await at.page.getByRole('button', { name: button }).click();
      await at.page.waitForURL('**/thanks?**');
      const { searchParams } = new URL(at.page.url());
      assert.deepEqual(
        [searchParams.get('form'), searchParams.get('payment_intent')],
        ['main', intent.id],
      );
      assert.equal(searchParams.get('payment_intent_client_secret'), intent.client_secret);
      assert.equal(searchParams.get('redirect_status'), redirectStatus);
      assert.equal((await stripe.paymentIntents.retrieve(intent.id)).status, status);
    });
  }

  for (const [asked, fields, sent, given] of [
    ['nothing', { name: 'never', email: 'never' }, { name: 'Ada', email: 'ada@example.org' }, {}],
    ['the name', { email: 'never' }, { email: 'ada@example.org' }, { 'Full name': 'Ada' }],
    ['name and email', {}, {}, { 'Full name': 'Ada', Email: 'ada@example.org' }],
  ] as const) {
    test(`saves a bank account with confirmSetup, and asks for ${asked}`, async () => {
      await openPage();
      await at.page.evaluate((billingDetails) => {
        kit.element.destroy();
        const allowedPaymentMethodTypes = ['card', 'sepa_debit'];
        const options = { mode: 'setup', currency: 'eur', allowedPaymentMethodTypes };
        kit.elements = kit.stripe.elements(options);
        kit.elements.create('payment', { fields: { billingDetails } }).mount('#card');
      }, fields);
      await choose('SEPA debit');
      await field('IBAN').fill('AT611904300234573201');
      assert.equal(await card().getByRole('textbox').count(), 1 + Object.keys(given).length);
      if (asked === 'the name') assert.equal((await submit()).error?.code, 'incomplete_name');
      for (const [label, value] of Object.entries(given)) await field(label).fill(value);
      await submit();
      const customer = await stripe.customers.create();
      const setup = await stripe.setupIntents.create({
        customer: customer.id,
        allowed_payment_method_types: ['card', 'sepa_debit'],
      });
      await at.page.evaluate(
        ([clientSecret, billing_details]) => {
          kit.result = kit.stripe.confirmSetup({
            elements: kit.elements,
            clientSecret,
            redirect: 'if_required',
            confirmParams: { payment_method_data: { billing_details } },
          });
        },
        [setup.client_secret, sent] as const,
      );
      assert.equal((await result()).setupIntent?.status, 'succeeded');
      const { payment_method } = await stripe.setupIntents.retrieve(setup.id, {
        expand: ['payment_method'],
      });
      const method = payment_method as Stripe.PaymentMethod;
      assert.deepEqual([method.sepa_debit?.last4, method.customer], ['3201', customer.id]);
      const { name, email } = method.billing_details;
      assert.deepEqual({ name, email }, { name: 'Ada', email: 'ada@example.org' });
    });
  }

  test('cannot be set with the option that Stripe.js has removed', async () => {
    await openPage();
    const attempt = (options: object) =>
      at.page.evaluate((each) => void kit.stripe.elements(each), {
        mode: 'payment',
        amount: 5000,
        currency: 'usd',
        ...options,
      });
    await assert.rejects(attempt({ paymentMethodTypes: ['card'] }), /allowedPaymentMethodTypes/);
    const update = at.page.evaluate(() => kit.elements.update({ paymentMethodTypes: ['card'] }));
    await assert.rejects(update, /allowedPaymentMethodTypes/);
    assert.deepEqual(
      problems.filter((each) => !each.includes('status of 400')),
      [],
    );
  });
});
