import { expect } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import { intent, jsonResponse } from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { paid } from '../test-support/fake-stripe.ts';
import { waitUntil } from '../test-support/wait-until.ts';

/** The label of the Give button, without white space around it. */
const button = (donor: Donor) => donor.find('form .primary')!.textContent.trim();

describe('progress feedback', () => {
  it('shows that the card fields are loading, and then the fields, at the same height', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    stripe.drawn = promise;
    const donor = await Donor.open();
    donor.type('name', 'Maya Lindqvist');
    await donor.waitFor('.note');
    expect(donor.find('.payment')).to.have.attribute('aria-busy', 'true');
    expect(donor.find('.note')!.textContent.trim()).to.equal('Loading the payment form…');
    expect(donor.find('[role=status]')!.textContent).to.equal('Loading the payment form…');
    expect(donor.find('.note')!.closest('[aria-hidden]')).to.equal(null);
    const { height } = donor.find('.payment')!.getBoundingClientRect();
    await expect(donor.element).to.be.accessible();
    resolve();
    await donor.waitFor('.payment-fields:not(.waiting)');
    expect(donor.find('.note')).to.equal(null);
    expect(donor.find('.payment')).not.to.have.attribute('aria-busy');
    expect(donor.find('.payment')!.getBoundingClientRect().height).to.equal(height);
  });

  it('shows that Give waits for the card fields when they are not yet loaded', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    stripe.drawn = promise;
    const donor = await Donor.open();
    donor.type('name', 'Maya Lindqvist');
    donor.type('email', 'maya@example.org');
    donor.submit();
    await waitUntil(() => button(donor) === 'Waiting for the payment form…', 'it says so');
    expect(donor.text).not.to.match(/being processed|Giving/);
    expect(donor.find('.fields')).not.to.have.attribute('inert');
    donor.submit(); // A second press changes nothing.
    stripe.complete = false;
    resolve();
    await donor.waitForText('Complete your payment details');
    expect(button(donor)).to.equal('Give $50');
    expect(document.activeElement).to.have.attribute('aria-label', 'Card number');
    expect(server.requestsTo('/payment-intents')).to.have.length(0);
  });

  it('shows each step of a payment', async () => {
    const response = Promise.withResolvers<Response>();
    const confirmed = Promise.withResolvers<ReturnType<typeof paid>>();
    server.on('/payment-intents', () => response.promise);
    stripe.confirm = () => confirmed.promise;
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Connecting to our payment provider…');
    expect(button(donor)).to.equal('Giving $50…');
    response.resolve(jsonResponse(intent(), 201));
    await donor.waitForText('Your gift is being processed');
    confirmed.resolve(paid());
    await donor.waitForText('Thank you, Maya');
  });
});
