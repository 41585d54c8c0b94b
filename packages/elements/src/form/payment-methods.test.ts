import { expect } from '@open-wc/testing';
import type { PaymentIntent } from '@stripe/stripe-js';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import type { StripeResult } from '../test-support/fake-stripe.ts';
import { releaseLocks } from '../test-support/release-locks.ts';
import { donationTerms } from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const METHODS = ['card', 'link', 'paypal', 'us_bank_account'];

const processing = (): StripeResult => ({
  paymentIntent: { id: 'pi_1', status: 'processing', amount: 5000, currency: 'usd', created: 0 },
});

/** The state of a payment that the donor has canceled at PayPal. */
const canceledAtPayPal = (): StripeResult => ({
  paymentIntent: {
    id: 'pi_1',
    status: 'requires_payment_method',
    last_payment_error: {
      type: 'invalid_request_error',
      code: 'payment_intent_payment_attempt_failed',
      payment_method: { id: 'pm_1', type: 'paypal' },
    } as PaymentIntent['last_payment_error'],
  },
});

async function openWith(payment_method_types: string[] | undefined, form: object = {}) {
  server.setForm({ ...(payment_method_types && { payment_method_types }), ...form });
  const donor = await Donor.open();
  await donor.fill();
  return donor;
}

describe('the payment methods of a form', () => {
  it('are those to which Stripe’s fields are restricted, in their order', async () => {
    const donor = await openWith(METHODS);
    expect(stripe.options['allowedPaymentMethodTypes']).to.deep.equal(METHODS);
    expect(stripe.fieldOptions['paymentMethodOrder']).to.deep.equal(METHODS);
    // Without it, a donor could choose to wait for small deposits, and forget to report them.
    expect(stripe.options['paymentMethodOptions']).to.deep.equal({
      us_bank_account: { verification_method: 'instant' },
    });
    expect(donor.find('.payment legend')!.textContent).to.equal('Payment');
  });

  it('take the space that they need once they are loaded', async () => {
    const height = (element: Element | null) => element!.getBoundingClientRect().height;
    server.setForm({ payment_method_types: METHODS });
    const donor = await Donor.open();
    expect(height(donor.find('.payment-area'))).to.equal(292);
    await donor.fill();
    const fields = donor.element.querySelector('[slot]:not([slot$=-wallet])');
    expect(height(donor.find('.payment-area'))).to.equal(height(fields));
  });

  it('are only cards by default, and the form says so', async () => {
    const donor = await openWith(['card', 'link']);
    expect(stripe.options['allowedPaymentMethodTypes']).to.deep.equal(['card', 'link']);
    expect(stripe.options['paymentMethodOptions']).to.deep.equal({});
    expect(donor.find('.payment legend')!.textContent).to.equal('Card');
  });

  it('are not restricted if the API is older', async () => {
    await openWith(undefined);
    expect(stripe.options).not.to.have.property('allowedPaymentMethodTypes');
    expect(stripe.options).not.to.have.property('paymentMethodOptions');
    expect(stripe.fieldOptions).not.to.have.property('paymentMethodOrder');
  });

  it('do not include PayPal for a monthly donation', async () => {
    const terms = donationTerms({ frequencies: ['one_time', 'monthly'] });
    const donor = await openWith(METHODS, { terms });
    /** Waits until Stripe's fields have a mode, and returns their payment methods. */
    const methodsIn = async (mode: string) => {
      const update = () => stripe.updates.findLast((each) => each['mode'] === mode);
      await waitUntil(update, mode);
      return update()!['allowedPaymentMethodTypes'];
    };
    donor.select('monthly');
    expect(await methodsIn('subscription')).to.deep.equal(['card', 'link', 'us_bank_account']);
    donor.select('one_time');
    expect(await methodsIn('payment')).to.deep.equal(METHODS);
  });
});

describe('a donor who pays by bank debit', () => {
  const HINT = 'Your bank takes about 4 business days to send your gift.';

  it('sees and hears below the fields when the money arrives', async () => {
    const donor = await openWith(METHODS);
    const status = donor.find('[role=status]')!;
    stripe.selectMethod('us_bank_account');
    await donor.waitForText(HINT);
    expect(donor.find('.payment .note')!.textContent).to.equal(HINT);
    expect(status.textContent).to.include(HINT);
    stripe.selectMethod('paypal');
    await donor.element.updateComplete;
    expect(donor.find('.payment .note')).to.equal(null);
    expect(status.textContent).not.to.include(HINT);
  });

  it('reads it in the language of the form', async () => {
    const donor = await openWith(['card', 'sepa_debit']);
    stripe.selectMethod('sepa_debit');
    await donor.waitForText('about 5 business days');
    donor.element.lang = 'de';
    await donor.waitForText('Der Bankeinzug Ihrer Spende dauert etwa 5 Werktage');
  });

  it('is not asked for the fee of a card, and does not pay it', async () => {
    stripe.confirm = processing;
    const donor = await openWith(METHODS, { terms: donationTerms({ fee_cover: 'preselected' }) });
    await donor.waitForText('Give $51.81');
    stripe.selectMethod('us_bank_account');
    await donor.waitForText('Give $50');
    const question = donor.find('[name=coverFee]')!;
    expect(question.checkVisibility({ visibilityProperty: true })).to.equal(false);
    await donor.waitForText('The processing fee is not added.');
    expect(stripe.sheetAmount).to.equal(5000);
    donor.submit();
    await donor.waitForText('Your gift is on its way');
    const { body } = server.requestsTo('/payment-intents')[0]!;
    expect(body).to.include({ amount_cents: 5000 }).and.not.have.property('fee_cover_cents');
  });

  for (const isCovered of [true, false]) {
    it(`finds the ${isCovered ? 'accepted' : 'rejected'} fee again with the card`, async () => {
      const donor = await openWith(METHODS, { terms: donationTerms({ fee_cover: 'offered' }) });
      const total = isCovered ? 5181 : 5000;
      if (isCovered) donor.check('coverFee');
      await waitUntil(() => stripe.sheetAmount === total, 'Stripe has the total');
      const totals: unknown[] = [];
      donor.element.addEventListener('connect-change', ({ amountCents }) =>
        totals.push(amountCents),
      );
      stripe.selectMethod('us_bank_account');
      await donor.element.updateComplete;
      stripe.selectMethod('paypal');
      await donor.waitForText(isCovered ? 'Give $51.81' : 'Give $50');
      expect(donor.find<HTMLInputElement>('[name=coverFee]')!.checked).to.equal(isCovered);
      expect(totals).to.deep.equal([5000, total]);
      expect(stripe.sheetAmount).to.equal(total);
    });
  }

  it('is asked for the fee again when the fields start anew, with the card', async () => {
    const donor = await openWith(METHODS, { terms: donationTerms({ fee_cover: 'preselected' }) });
    stripe.selectMethod('us_bank_account');
    await donor.waitForText('Give $50');
    donor.element.parentElement!.append(donor.element);
    await donor.waitForText('Give $51.81');
    await waitUntil(() => stripe.mounts === 2, 'the fields are mounted again');
    expect(stripe.options['amount']).to.equal(5181);
  });

  it('is told that the gift is on its way, and when the receipt comes', async () => {
    stripe.confirm = processing;
    const donor = await openWith(METHODS);
    donor.submit();
    await donor.waitForText('Your gift is on its way');
    expect(donor.text)
      .to.include('Your bank takes about 4 business days to send your gift of $50')
      .and.include('Your receipt will be sent to maya@example.org when your gift arrives.')
      .and.not.include('Thank you');
  });

  it('is not told that a monthly gift has begun before its first money has arrived', async () => {
    stripe.confirm = processing;
    const terms = donationTerms({ frequencies: ['monthly'] });
    const donor = await openWith(METHODS, { terms });
    donor.submit();
    await donor.waitForText('Your gift is on its way');
    expect(donor.text).not.to.include('first monthly gift');
  });

  it('is promised no receipt if none is sent', async () => {
    stripe.confirm = processing;
    const donor = await openWith(METHODS, { receipts: false });
    donor.submit();
    await donor.waitForText('Your gift is on its way');
    expect(donor.text).not.to.include('receipt');
  });
});

describe('a donor who pays with PayPal', () => {
  const address = location.href;
  afterEach(() => history.replaceState(null, '', address));

  /** Simulates that the donor goes to PayPal, cancels there and is sent back. */
  async function cancelAtPayPal(methods: string[]) {
    stripe.confirm = () => new Promise(() => {});
    const donor = await openWith(METHODS);
    donor.submit();
    await waitUntil(() => stripe.confirmed.length === 1, 'the payment is confirmed');
    donor.element.remove();
    await releaseLocks();
    const url = new URL(stripe.confirmed[0]!.confirmParams.return_url);
    url.searchParams.set('payment_intent_client_secret', 'pi_1_secret_1');
    url.searchParams.set('redirect_status', 'failed');
    history.replaceState(null, '', url);
    stripe.retrieve = canceledAtPayPal;
    server.setForm({ payment_method_types: methods });
    return await Donor.open();
  }

  it('and cancels there is told calmly, and keeps what was entered', async () => {
    const donor = await cancelAtPayPal(METHODS);
    await donor.waitForText('The payment did not go through, and you were not charged.');
    expect(donor.text).not.to.include('card was declined');
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
    expect(location.search).not.to.include('payment_intent');
    stripe.confirm = () => ({
      paymentIntent: { ...processing().paymentIntent, status: 'succeeded' },
    });
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
  });

  it('gets another payment intent if the form offers other payment methods meanwhile', async () => {
    const donor = await cancelAtPayPal(['card', 'link']);
    await donor.waitForText('The payment did not go through');
    stripe.confirm = () => ({
      paymentIntent: { ...processing().paymentIntent, status: 'succeeded' },
    });
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')).to.have.length(2);
    expect(new Set(server.idempotencyKeys).size).to.equal(2);
  });
});
