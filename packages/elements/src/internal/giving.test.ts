import { expect, oneEvent, waitUntil } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import {
  embedForm,
  FakeServer,
  formSession,
  intent,
  json,
  problem,
} from '../test-support/server.ts';
import { declined, FakeStripe, paid } from '../test-support/stripe.ts';

let server: FakeServer;
let stripe: FakeStripe;

beforeEach(() => {
  server = new FakeServer();
  stripe = new FakeStripe();
});
afterEach(() => {
  server.restore();
  stripe.restore();
});

const keys = () =>
  server.to('/payment-intents').map(({ headers }) => headers.get('idempotency-key'));

describe('a gift that does not go through', () => {
  for (const [code, sentence] of [
    ['insufficient_funds', /not have enough funds.*another card/],
    ['expired_card', /has expired/],
    ['incorrect_cvc', /security code is not right/],
    ['processing_error', /Wait a moment/],
    ['stolen_card', /was declined. Try another card/],
  ] as const) {
    it(`keeps everything typed and says what to do: ${code}`, async () => {
      const donor = await Donor.arrive();
      await donor.fill();
      stripe.confirm = () => declined(code);
      setTimeout(() => donor.press());
      const error: Event = await oneEvent(donor.element, 'connect-error');
      expect(error).to.include({ code });
      await donor.sees(sentence);
      expect(donor.focused).to.equal(donor.find('#notice'));
      expect(donor.find<HTMLInputElement>('#email')!.value).to.equal('maya@example.org');
      await expect(donor.element).to.be.accessible();
    });
  }

  it('is not called declined when nobody refused it', async () => {
    const donor = await Donor.arrive();
    await donor.fill();
    stripe.confirm = () => {
      throw new Error('the frame is gone');
    };
    stripe.retrieve = () => ({ paymentIntent: { id: 'pi_1', status: 'requires_payment_method' } });
    donor.press();
    await donor.sees('nothing was charged');
    expect(donor.text).not.to.include('declined');
  });

  it('is tried again as the same intent', async () => {
    const donor = await Donor.arrive();
    await donor.fill();
    stripe.confirm = () => declined('insufficient_funds');
    donor.press();
    await donor.sees('not have enough funds');
    stripe.confirm = () => paid();
    donor.press();
    await donor.sees('Thank you');
    expect(server.to('/payment-intents')).to.have.length(1);
    expect(stripe.confirmed.map(({ clientSecret }) => clientSecret)).to.deep.equal([
      'pi_1_secret_1',
      'pi_1_secret_1',
    ]);
  });

  it('is another intent when the amount is another', async () => {
    const donor = await Donor.arrive();
    await donor.fill();
    stripe.confirm = () => declined('insufficient_funds');
    donor.press();
    await donor.sees('not have enough funds');
    stripe.confirm = () => paid(2500);
    donor.choose(2500);
    donor.press();
    await donor.sees('Thank you');
    expect(new Set(keys()).size).to.equal(2);
  });

  it('shows the truth when the line breaks after the charge', async () => {
    const donor = await Donor.arrive();
    await donor.fill();
    stripe.confirm = () => Promise.reject(new Error('network'));
    donor.press();
    await donor.sees('Thank you');
    expect(stripe.retrieved).to.deep.equal(['pi_1_secret_1']);
  });

  it('is looked up before another try when nobody knows', async () => {
    const donor = await Donor.arrive();
    await donor.fill();
    stripe.confirm = () => ({ error: { type: 'api_connection_error' } });
    stripe.retrieve = () => ({ error: { type: 'api_connection_error' } });
    donor.press();
    await donor.sees('could not find out whether your gift went through', 8000);
    stripe.retrieve = () => paid();
    donor.choose(10_000); // Even another gift waits for the truth about the first.
    donor.press();
    await donor.sees('Your gift of $50');
    expect(stripe.confirmed).to.have.length(1);
    expect(server.to('/payment-intents')).to.have.length(1);
  });

  it('asks for the card when its fields lack something', async () => {
    const donor = await Donor.arrive();
    await donor.fill();
    stripe.complete = false;
    donor.press();
    await donor.sees('Check the card details');
    expect(server.to('/payment-intents')).to.have.length(0);
    expect(document.activeElement).to.have.attribute('aria-label', 'Card number');
  });

  it('names every field that is wrong, and goes to the first', async () => {
    const donor = await Donor.arrive();
    donor.type('other', '1');
    donor.type('email', 'maya');
    donor.press();
    await donor.sees('The smallest gift is $5.');
    await donor.sees('Enter your name.');
    await donor.sees('such as name@example.org');
    const other = donor.find('#other')!;
    expect(donor.focused).to.equal(other);
    expect(other).to.have.attribute('aria-invalid', 'true');
    expect(donor.find(`#${other.getAttribute('aria-describedby')}`)).to.have.text(
      'The smallest gift is $5.',
    );
    await expect(donor.element).to.be.accessible();
    donor.type('other', '25');
    await waitUntil(() => !other.hasAttribute('aria-invalid'), 'solved');
    expect(server.to('/payment-intents')).to.have.length(0);
  });

  it('shows a field that the server refuses', async () => {
    server.on('/payment-intents', () => problem('invalid_request', 'donor_email: is not one.'));
    const donor = await Donor.arrive();
    await donor.fill();
    donor.press();
    await donor.sees('such as name@example.org');
    await waitUntil(() => donor.focused?.id === 'email', 'focus');
  });
});

describe('a server that is not ready for a gift', () => {
  it('renews a session that has expired, with the same key', async () => {
    server.on('/embed-sessions', (_, times) =>
      json(formSession(embedForm(), `visitor_${times}`), 201),
    );
    server.on('/payment-intents', ({ headers }) =>
      headers.get('authorization') === 'Bearer visitor_2'
        ? json(intent(), 201)
        : problem('unauthorized'),
    );
    const donor = await Donor.arrive();
    await donor.fill();
    donor.press();
    await donor.sees('Thank you, Maya');
    expect(keys()).to.have.length(2);
    expect(new Set(keys()).size).to.equal(1);
  });

  it('waits where the donor can see it when it is busy, and tries again with the same key', async () => {
    server.on('/payment-intents', (_, times) =>
      times === 1 ? problem('rate_limited', 'later', 2) : json(intent(), 201),
    );
    const donor = await Donor.arrive();
    await donor.fill();
    donor.press();
    await donor.sees(/Many people are giving right now.*We try again in 2 s/);
    await donor.sees('We try again in 1 s');
    await donor.sees('Thank you');
    expect(new Set(keys()).size).to.equal(1);
  });

  it('waits for its own earlier request', async () => {
    server.on('/payment-intents', (_, times) =>
      times === 1 ? problem('conflict') : json(intent(), 201),
    );
    const donor = await Donor.arrive();
    await donor.fill();
    donor.press();
    await donor.sees('Thank you');
    expect(new Set(keys()).size).to.equal(1);
  });

  it('keeps what was typed when it cannot be reached', async () => {
    server.on('/payment-intents', (_, times) => (times < 4 ? undefined : json(intent(), 201)));
    const donor = await Donor.arrive();
    await donor.fill();
    donor.press();
    await donor.sees('We could not reach the server. Nothing has been charged.', 8000);
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
    donor.press();
    await donor.sees('Thank you');
    expect(new Set(keys()).size).to.equal(1);
  });
});
