import { aTimeout, expect, oneEvent } from '@open-wc/testing';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import {
  donationTerms,
  embedForm,
  errorResponse,
  formSession,
  intent,
  jsonResponse,
} from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { untilQuiet } from '../test-support/until-quiet.ts';
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
    await donor.waitFor('.payment-error');
    expect(donor.find('.payment-error a')).to.equal(null); // The address of the hosted form is unknown.
    server.on('/embed-sessions', () => jsonResponse(formSession(), 201));
    donor.find('.payment-error button')!.click();
    await donor.waitFor('.payment-fields:not(.waiting)');
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
  });

  for (const [order, delayMs] of [
    ['before', 0],
    ['after', 200],
  ] as const) {
    it(`cannot be opened because the form was closed, ${order} Stripe’s script has loaded`, async () => {
      server.on('/embed-sessions', () => aTimeout(delayMs).then(() => failWith('form_closed')));
      const donor = await Donor.open();
      const failed = oneEvent(donor.element, 'connect-load-error');
      donor.type('name', 'M');
      await failed;
      await donor.waitForText('This form no longer accepts gifts');
      await untilQuiet();
      expect(donor.find('.payment-error')).to.equal(null);
      expect(stripe.mounts).to.equal(0);
    });
  }

  it('cannot be opened because the page is out of date, which a retry does not change', async () => {
    server.on('/embed-sessions', () => failWith('page_expired'));
    const donor = await Donor.open();
    donor.type('name', 'M');
    await donor.waitForText('This page is out of date');
    const buttons = donor.all('button').map(({ textContent }) => textContent);
    expect(buttons).to.deep.equal(['Reload page']);
  });

  it('cannot be renewed while a donation is paid: its own message stays', async () => {
    server.on('/embed-sessions', (_, times) =>
      times === 1 ? jsonResponse(formSession(), 201) : failWith('form_closed'),
    );
    server.on('/payment-intents', () => errorResponse('unauthorized'));
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('This form no longer accepts gifts. You were not charged.');
    await untilQuiet();
    expect(donor.focused?.id).to.equal('banner');
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
  });

  const latest = embedForm({
    form_version: 4,
    terms: donationTerms({ preset_amounts_cents: [5000, 7700] }),
  });

  /** The page shows an older form than the session. */
  const changeForm = (form = latest) => {
    server.setForm({ form_version: 1 });
    server.on('/embed-sessions', () =>
      aTimeout(50).then(() => jsonResponse(formSession(form), 201)),
    );
  };

  it('has another version of the form: that is shown, with the input and the focus', async () => {
    changeForm();
    const donor = await Donor.open();
    donor.type('name', 'Maya Lindqvist');
    await donor.waitForText('This form has changed');
    await waitUntil(() => donor.focused?.id === 'name', 'the field has the focus again');
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
    expect(donor.text).to.include('$77').and.include('Give $50');
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/embed-form')).to.have.length(1);
    const versions = server
      .requestsTo('/embed-sessions')
      .map(({ query }) => query.get('form_version'));
    expect(versions).to.deep.equal(['1', '4']);
  });

  it('has another version: the focus stays on a radio button, and nothing is stored for it', async () => {
    changeForm();
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = () => {
      throw new DOMException('The storage is blocked.', 'SecurityError');
    };
    try {
      const donor = await Donor.open();
      donor.find('input[value="10000"]')!.focus();
      donor.select(5000);
      donor.find('input[value="5000"]')!.focus();
      await donor.waitForText('This form has changed');
      await waitUntil(
        () => donor.focused?.matches('[value="5000"]:checked'),
        'the amount has the focus again',
      );
    } finally {
      Storage.prototype.setItem = setItem;
    }
  });

  it('has other terms without a version, such as a form of the configuration', async () => {
    const roof = embedForm({ fund_name: 'Roof', campaign_name: null });
    server.on('/embed-sessions', () => jsonResponse(formSession(roof), 201));
    const donor = await Donor.open();
    donor.type('name', 'M');
    await donor.waitForText('Roof');
    expect(donor.text).not.to.include('Winter meals');
  });

  it('changes again and again: the form is replaced once', async () => {
    server.on('/embed-sessions', (_, times) => {
      const form = embedForm({ form_version: times + 1, fund_name: `Fund ${times}` });
      return jsonResponse(formSession(form), 201);
    });
    const donor = await Donor.open();
    donor.type('name', 'M');
    await donor.waitForText('This page is out of date');
    expect(server.requestsTo('/embed-sessions')).to.have.length(2);
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
