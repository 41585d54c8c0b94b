import { expect } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import {
  donationTerms,
  embedForm,
  errorResponse,
  formSession,
  intent,
  jsonResponse,
  publicForm,
} from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { waitUntil } from '../test-support/wait-until.ts';

const failWith = (code: string) => errorResponse('not_found', code, undefined, { code });

describe('the session of a donor', () => {
  it('is opened once, for the card fields and the donation', async () => {
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/embed-sessions')).to.have.length(1);
  });

  it('is requested again while the server is unavailable for a moment', async () => {
    server.on('/embed-sessions', (_, times) =>
      times === 1 ? errorResponse('unavailable') : jsonResponse(formSession(), 201),
    );
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
  });

  it('cannot be opened: the donor keeps the input, and can try again', async () => {
    server.on('/embed-sessions', () => errorResponse('invalid_request'));
    const donor = await Donor.open();
    donor.type('name', 'Maya Lindqvist');
    await donor.waitFor('.card-error');
    expect(donor.find('.card-error a')).to.equal(null); // The address of the hosted form is unknown.
    server.on('/embed-sessions', () => jsonResponse(formSession(), 201));
    donor.find('.card-error button')!.click();
    await donor.waitFor('.card-fields:not(.waiting)');
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
  });

  it('cannot be opened because the form was closed: the donor learns it before typing', async () => {
    server.on('/embed-sessions', () => failWith('form_closed'));
    const donor = await Donor.open();
    donor.type('name', 'M');
    await donor.waitForText('This form no longer accepts donations');
    expect(stripe.mounts).to.equal(0);
  });

  it('has another version of the form: that is shown, and used without another request', async () => {
    const old = embedForm({ form_version: 1 });
    const latest = embedForm({
      form_version: 4,
      terms: donationTerms({ preset_amounts_cents: [7700], default_amount_cents: 7700 }),
    });
    server.on('/embed-form', () => jsonResponse(publicForm(old)));
    server.on('/embed-sessions', () => jsonResponse(formSession(latest), 201));
    const donor = await Donor.open();
    donor.type('name', 'Maya Lindqvist');
    await donor.waitForText('Amount $77');
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
    donor.select(7700); // The amount that was selected is no longer offered.
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/embed-form')).to.have.length(1);
    const versions = server
      .requestsTo('/embed-sessions')
      .map(({ query }) => query.get('form_version'));
    expect(versions).to.deep.equal(['1', '4']);
  });

  it('is renewed with another key of Stripe: the donor is asked to reload the page', async () => {
    const renewed = embedForm({ publishable_key: 'pk_test_other' });
    server.on('/embed-sessions', (_, times) =>
      jsonResponse(formSession(times === 1 ? embedForm() : renewed), 201),
    );
    server.on('/payment-intents', (_, times) =>
      times === 1 ? errorResponse('unauthorized') : jsonResponse(intent(), 201),
    );
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('This page is out of date');
    await waitUntil(() => donor.focused?.id === 'banner', 'the message has the focus');
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
    expect(stripe.confirmed).to.have.length(0);
  });
});
