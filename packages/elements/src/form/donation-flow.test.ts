import { expect, oneEvent } from '@open-wc/testing';
import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import '../define.ts';
import { Donor } from '../test-support/donor.ts';
import {
  embedForm,
  formSession,
  donationTerms,
  intent,
  jsonResponse,
  errorResponse,
} from '../test-support/server.ts';
import { server, stripe } from '../test-support/set-up.ts';
import { declined, FakeStripe, paid } from '../test-support/fake-stripe.ts';
import { waitUntil } from '../test-support/wait-until.ts';

/** The accessible name of the message that has the focus. */
const nameOf = (donor: Donor) =>
  donor.find(`#${donor.focused!.getAttribute('aria-labelledby')}`)!.textContent.trim();

describe('values that a password manager fills in without an event', () => {
  const fillSilently = (donor: Donor, values: Record<string, string>) => {
    for (const [id, value] of Object.entries(values)) {
      donor.find<HTMLInputElement>(`#${id}`)!.value = value;
    }
  };

  it('are sent as the fields show them', async () => {
    const donor = await Donor.open();
    await donor.fill();
    fillSilently(donor, { name: 'Noor Haddad', email: 'noor@example.org' });
    donor.submit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents').at(-1)?.body).to.include({
      donor_name: 'Noor Haddad',
      donor_email: 'noor@example.org',
    });
  });

  it('count as entered, and an emptied field as empty', async () => {
    const donor = await Donor.open();
    await donor.fill();
    fillSilently(donor, { name: '' });
    donor.submit();
    await donor.waitForText('Enter your name');
    fillSilently(donor, { name: 'Noor Haddad' });
    donor.submit();
    await donor.waitForText('Thank you');
  });

  it('are confirmed by a second press if they change the total', async () => {
    const donor = await Donor.open();
    await donor.fill();
    const before = server.requestsTo('/payment-intents').length;
    fillSilently(donor, { other: '75' });
    donor.submit();
    await donor.waitForText('The form now shows a total of $75');
    await donor.waitForText('Give $75');
    expect(server.requestsTo('/payment-intents').length).to.equal(before);
    donor.submit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents').at(-1)?.body).to.include({ amount_cents: 7500 });
  });
});

describe('a donation that fails', () => {
  for (const [code, sentence] of [
    ['insufficient_funds', /not have enough funds.*another card/],
    ['expired_card', /has expired/],
    ['incorrect_cvc', /security code is incorrect/],
    ['processing_error', /Wait a moment/],
    ['stolen_card', /was declined. Try another card/],
  ] as const) {
    it(`keeps the donor's input and explains what to do: ${code}`, async () => {
      const donor = await Donor.open();
      await donor.fill();
      stripe.confirm = () => declined(code);
      setTimeout(() => donor.submit());
      const error: Event = await oneEvent(donor.element, 'connect-error');
      expect(error).to.include({ code });
      await donor.waitForText(sentence);
      expect(donor.focused?.id).to.equal('banner');
      expect(donor.find<HTMLInputElement>('#email')!.value).to.equal('maya@example.org');
    });
  }

  for (const [code, sentence] of [
    ['incorrect_zip', /postal code does not match/],
    ['invalid_cvc', /security code is incorrect/],
    ['invalid_number', /card number is incorrect/],
    ['invalid_expiry_year', /Check the expiration date/],
    ['issuer_not_available', /Wait a moment/],
    ['try_again_later', /Wait a moment/],
    ['constructor', /was declined. Try another card/],
  ] as const) {
    it(`explains the decline code: ${code}`, async () => {
      const donor = await Donor.open();
      stripe.confirm = () => declined(code);
      await donor.fillAndSubmit();
      await donor.waitForText(sentence);
    });
  }

  it('is not called declined without a decline code', async () => {
    const donor = await Donor.open();
    await donor.fill();
    stripe.confirm = () => {
      throw new Error('the frame is gone');
    };
    stripe.retrieve = () => ({ paymentIntent: { id: 'pi_1', status: 'requires_payment_method' } });
    donor.submit();
    await donor.waitForText('you were not charged');
    expect(donor.text).not.to.include('declined');
  });

  it('is retried with the same payment intent', async () => {
    const donor = await Donor.open();
    await donor.fill();
    stripe.confirm = () => declined('insufficient_funds');
    donor.submit();
    await donor.waitForText('not have enough funds');
    stripe.confirm = () => paid();
    donor.submit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
    expect(stripe.confirmed.map(({ clientSecret }) => clientSecret)).to.deep.equal([
      'pi_1_secret_1',
      'pi_1_secret_1',
    ]);
  });

  it('gets another payment intent when the amount changes', async () => {
    const donor = await Donor.open();
    await donor.fill();
    stripe.confirm = () => declined('insufficient_funds');
    donor.submit();
    await donor.waitForText('not have enough funds');
    stripe.confirm = () => paid(2500);
    donor.select(2500);
    donor.submit();
    await donor.waitForText('Thank you');
    expect(new Set(server.idempotencyKeys).size).to.equal(2);
  });

  it('retrieves the outcome when the connection breaks after the charge', async () => {
    const donor = await Donor.open();
    await donor.fill();
    stripe.confirm = () => Promise.reject(new Error('network'));
    donor.submit();
    await donor.waitForText('Thank you');
    expect(stripe.retrieved).to.deep.equal(['pi_1_secret_1']);
  });

  it('retrieves an unknown outcome before another attempt', async () => {
    const donor = await Donor.open();
    await donor.fill();
    stripe.confirm = () => ({ error: { type: 'api_connection_error' } });
    stripe.retrieve = () => ({ error: { type: 'api_connection_error' } });
    donor.submit();
    await donor.waitForText('could not confirm whether your gift went through');
    stripe.retrieve = () => paid();
    donor.select(10_000); // Even another donation waits for the outcome of the first.
    donor.submit();
    await donor.waitForText('Your gift of $50');
    expect(stripe.confirmed).to.have.length(1);
    expect(server.requestsTo('/payment-intents')).to.have.length(1);
  });

  it('asks for the payment details when they are incomplete', async () => {
    const donor = await Donor.open();
    await donor.fill();
    stripe.complete = false;
    const status = donor.find('[role=status]')!;
    const announced: string[] = [];
    const observer = new MutationObserver(() => announced.push(status.textContent));
    observer.observe(status, { childList: true, characterData: true, subtree: true });
    donor.submit();
    await donor.waitForText('Complete your payment details');
    observer.disconnect();
    expect(announced.join()).not.to.include('processed');
    expect(server.requestsTo('/payment-intents')).to.have.length(0);
    expect(document.activeElement).to.have.attribute('aria-label', 'Card number');
    stripe.fillCard(true);
    await waitUntil(() => !donor.find('#banner'), 'the message goes once the card is complete');
  });

  it('gives every message that takes the focus a role and a name', async () => {
    const donor = await Donor.open();
    donor.submit();
    await waitUntil(() => donor.focused?.id === 'banner', 'the summary has the focus');
    expect(donor.focused).to.have.attribute('role', 'group');
    expect(nameOf(donor)).to.equal('Check 3 fields');
    stripe.confirm = () => declined('expired_card');
    await donor.fillAndSubmit();
    await donor.waitForText('The card has expired');
    await waitUntil(() => donor.focused?.id === 'banner', 'the reason has the focus');
    expect(donor.focused).to.have.attribute('role', 'group');
    expect(nameOf(donor)).to.match(/^The card has expired/);
  });

  it('moves the focus to the error when the card fields are blocked', async () => {
    stripe.restore();
    const donor = await Donor.open();
    donor.type('name', 'Maya Lindqvist');
    donor.type('email', 'maya@example.org');
    await donor.waitForText('The payment form could not be loaded');
    donor.submit();
    await waitUntil(() => donor.focused?.matches('.payment-error'), 'the focus is there');
    expect(donor.text).not.to.include('Complete your payment details');
    new FakeStripe();
    donor.find('.payment-error button')!.click();
    await waitUntil(() => document.activeElement?.ariaLabel === 'Card number', 'the card');
  });

  it('asks the donor to enter an amount when there are no presets', async () => {
    server.setForm({
      terms: donationTerms({ preset_amounts_cents: [], default_amount_cents: 5000 }),
    });
    const donor = await Donor.open();
    donor.type('other', '');
    donor.submit();
    await donor.waitForText('Enter an amount, such as $25.');
    expect(donor.text).not.to.include('Choose an amount');
  });

  it('lists every invalid field in an error summary with links', async () => {
    const donor = await Donor.open();
    donor.type('other', '1');
    donor.type('email', 'maya');
    donor.submit();
    await donor.waitForText('The minimum gift is $5.');
    await donor.waitForText('Enter your name.');
    await donor.waitForText('as in name@example.org');
    await donor.waitForText('Complete your payment details.');
    await waitUntil(() => donor.focused?.id === 'banner', 'focus');
    expect(donor.find('#banner strong')).to.have.text('Check 4 fields');
    const links = [...donor.element.shadowRoot!.querySelectorAll<HTMLElement>('#banner a')];
    for (const [at, id] of ['other', 'name', 'email'].entries()) {
      links[at]!.click();
      await waitUntil(() => donor.focused?.id === id, `goes to ${id}`);
    }
    links[3]!.click();
    await waitUntil(() => document.activeElement?.ariaLabel === 'Card number', 'goes to the card');
    const other = donor.find('#other')!;
    expect(other).to.have.attribute('aria-invalid', 'true');
    expect(donor.find(`#${other.getAttribute('aria-describedby')}`)).to.have.text(
      'The minimum gift is $5.',
    );
    donor.type('other', '25');
    await waitUntil(() => !other.hasAttribute('aria-invalid'), 'solved');
    await waitUntil(() => donor.find('#banner strong')?.textContent === 'Check 3 fields');
    stripe.fillCard(true);
    await waitUntil(() => donor.find('#banner strong')?.textContent === 'Check 2 fields');
    expect(donor.text).not.to.include('Complete your payment details.');
    expect(server.requestsTo('/payment-intents')).to.have.length(0);
  });

  for (const [typed, message] of [
    ['0', /minimum gift/],
    ['0.10', /minimum gift/],
    ['-5', /amount/],
    ['12.3456', /amount/],
    ['a lot', /amount/],
    ['99999999999', /maximum gift|amount/],
  ] as const) {
    it(`explains beside the field why ${typed} is no valid amount, and sends nothing`, async () => {
      const donor = await Donor.open();
      donor.type('other', typed);
      donor.submit();
      const field = donor.find('#other')!;
      await waitUntil(() => field.ariaInvalid === 'true', 'the field is marked');
      const ids = field.getAttribute('aria-describedby')!.split(' ');
      expect(ids.map((id) => donor.find(`#${id}`)?.textContent).join(' ')).to.match(message);
      expect(server.requestsTo('/payment-intents')).to.have.length(0);
    });
  }

  it('shows an example of a valid amount when the input is invalid', async () => {
    const terms = { ...embedForm().terms, max_amount_cents: 2000, default_amount_cents: null };
    server.setForm({ terms });
    const donor = await Donor.open();
    donor.type('other', 'some');
    donor.submit();
    await donor.waitForText('Enter an amount, such as $20.');
  });

  it('accepts an email address of a Japanese keyboard, and shows it as it is sent', async () => {
    const donor = await Donor.open();
    await donor.fill();
    donor.type('email', 'name＠example．org\u200b');
    stripe.confirm = () => declined('insufficient_funds');
    donor.submit();
    await donor.waitForText('not have enough funds');
    expect(server.requestsTo('/payment-intents').at(-1)?.body).to.include({
      donor_email: 'name@example.org',
    });
    expect(donor.find<HTMLInputElement>('#email')!.value).to.equal('name@example.org');
  });

  it('names the character that an email address cannot contain', async () => {
    const donor = await Donor.open();
    await donor.fill();
    donor.type('email', 'ö@example.org');
    donor.submit();
    await donor.waitForText('An email address cannot contain “ö”.');
    donor.type('email', 'ana maria@example.org');
    donor.submit();
    await donor.waitForText('An email address cannot contain a space.');
    expect(server.requestsTo('/payment-intents')).to.have.length(0);
  });

  it('asks for the name when it has no visible character', async () => {
    const donor = await Donor.open();
    await donor.fill();
    donor.type('name', '\u200b \u2060');
    donor.submit();
    await donor.waitForText('Enter your name.');
    expect(server.requestsTo('/payment-intents')).to.have.length(0);
  });

  for (const [email, text] of [
    ['maya', 'Add @ and what follows it'],
    ['maya@', 'Add the part after @'],
    ['maya@example', 'Add the part after @'],
    ['@example.org', 'Enter an email address'],
    ['maya@m@example.org', 'Enter an email address'],
  ] as const) {
    it(`says what is missing in ${email}`, async () => {
      const donor = await Donor.open();
      donor.type('email', email);
      donor.submit();
      await donor.waitForText(text);
    });
  }

  it('marks the field that the server rejects', async () => {
    server.on('/payment-intents', () =>
      errorResponse('invalid_request', 'donor_email is not one.', undefined, {
        param: 'donor_email',
      }),
    );
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('such as name@example.org');
    await waitUntil(() => donor.focused?.id === 'banner', 'focus');
    expect(donor.find('#email')).to.have.attribute('aria-invalid', 'true');
  });
});

describe('a server that does not create the payment intent at once', () => {
  it('renews an expired session and retries with the same idempotency key', async () => {
    server.on('/embed-sessions', (_, times) =>
      jsonResponse(formSession(embedForm(), `visitor_${times}`), 201),
    );
    server.on('/payment-intents', ({ headers }) =>
      headers.get('authorization') === 'Bearer visitor_2'
        ? jsonResponse(intent(), 201)
        : errorResponse('unauthorized'),
    );
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you, Maya');
    expect(server.idempotencyKeys).to.have.length(2);
    expect(new Set(server.idempotencyKeys).size).to.equal(1);
  });

  it('shows a countdown when it is rate limited, and retries with the same idempotency key', async () => {
    server.on('/payment-intents', (_, times) =>
      times === 1 ? errorResponse('rate_limited', 'later', 2) : jsonResponse(intent(), 201),
    );
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText(/Many people are giving right now.*Trying again in 2 s/);
    await donor.waitForText('Trying again in 1 s');
    await donor.waitForText('Thank you');
    expect(new Set(server.idempotencyKeys).size).to.equal(1);
  });

  it('solves a proof-of-work challenge when the server requires one', async () => {
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: 10,
      counter: 3,
      deriveKey,
      hmacSignatureSecret: 'secret',
    });
    server.on('/challenges', () => jsonResponse({ kind: 'altcha', challenge }, 201));
    server.on('/payment-intents', ({ headers }) =>
      headers.has('proof') ? jsonResponse(intent(), 201) : errorResponse('proof_required'),
    );
    let charge!: () => void;
    stripe.confirm = () => new Promise((resolve) => (charge = () => resolve(paid())));
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await waitUntil(() => stripe.confirmed.length, 'the payment is confirmed');
    await donor.waitForText('Giving');
    charge();
    await donor.waitForText('Thank you');
    const proof = server.requestsTo('/payment-intents')[1]!.headers.get('proof')!;
    const { solution } = JSON.parse(atob(proof)) as { solution: { counter: number } };
    expect(solution.counter).to.equal(3);
    expect(new Set(server.idempotencyKeys).size).to.equal(1);
  });

  it('solves the challenge first when the session requires a proof', async () => {
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: 10,
      counter: 3,
      deriveKey,
      hmacSignatureSecret: 'secret',
    });
    server.on('/embed-sessions', () =>
      jsonResponse({ ...formSession(), proof_required: true }, 201),
    );
    server.on('/challenges', () => jsonResponse({ kind: 'altcha', challenge }, 201));
    server.on('/payment-intents', ({ headers }) =>
      headers.has('proof') ? jsonResponse(intent(), 201) : errorResponse('proof_required'),
    );
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')).to.have.length(1); // No request was rejected with 428.
    expect(server.requestsTo('/challenges')).to.have.length(1);
  });

  it('remembers that a proof is required, and is rejected only once', async () => {
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: 10,
      counter: 3,
      deriveKey,
      hmacSignatureSecret: 'secret',
    });
    server.on('/challenges', () => jsonResponse({ kind: 'altcha', challenge }, 201));
    server.on('/payment-intents', ({ headers }) =>
      headers.has('proof') ? jsonResponse(intent(), 201) : errorResponse('proof_required'),
    );
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    donor.find('.thank-you button:last-child')!.click();
    await donor.whenDrawn();
    donor.select(2500);
    stripe.confirm = () => paid(2500);
    await donor.fillAndSubmit();
    await donor.waitForText('Your gift of $25');
    const refused = server
      .requestsTo('/payment-intents')
      .filter(({ headers }) => !headers.has('proof'));
    expect(refused).to.have.length(1);
  });

  it('solves a challenge that is returned as a 200 response', async () => {
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: 10,
      counter: 3,
      deriveKey,
      hmacSignatureSecret: 'secret',
    });
    server.on('/payment-intents', ({ headers }) => {
      expect(headers.get('accept')).to.include('application/vnd.connect.challenge+json');
      return headers.has('proof')
        ? jsonResponse(intent(), 201)
        : jsonResponse({ kind: 'altcha', challenge });
    });
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')).to.have.length(2);
    expect(server.requestsTo('/challenges')).to.have.length(0);
    expect(new Set(server.idempotencyKeys).size).to.equal(1);
  });

  it('stops when the server rejects every proof', async () => {
    const challenge = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: 10,
      counter: 3,
      deriveKey,
      hmacSignatureSecret: 'secret',
    });
    server.on('/challenges', () => jsonResponse({ kind: 'altcha', challenge }, 201));
    server.on('/payment-intents', () => jsonResponse({ kind: 'altcha', challenge }));
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('You were not charged');
    expect(server.requestsTo('/payment-intents').length).to.be.below(5);
  });

  it('receives the value of the honeypot field', async () => {
    const donor = await Donor.open();
    await donor.fill();
    const honeypot = donor.find<HTMLInputElement>('[name=website]')!;
    expect(honeypot).to.have.attribute('tabindex', '-1');
    honeypot.value = 'https://spam.example';
    donor.submit();
    await donor.waitForText('Thank you');
    expect(server.requestsTo('/payment-intents')[0]!.body['website']).to.equal(
      'https://spam.example',
    );
  });

  const conflict = (code: string) => errorResponse('conflict', code, undefined, { code });

  it('retries while an earlier request with the same key is in flight', async () => {
    server.on('/payment-intents', (_, times) =>
      times === 1 ? conflict('idempotency_key_in_use') : jsonResponse(intent(), 201),
    );
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(new Set(server.idempotencyKeys).size).to.equal(1);
  });

  it('uses another key if its key was used for another donation', async () => {
    server.on('/payment-intents', (_, times) =>
      times === 1 ? conflict('idempotency_key_reused') : jsonResponse(intent(), 201),
    );
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('Thank you');
    expect(new Set(server.idempotencyKeys).size).to.equal(2);
  });

  it('says at once that the organization cannot take donations', async () => {
    server.on('/payment-intents', () => conflict('charges_disabled'));
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('This organization cannot accept gifts right now.');
    expect(server.idempotencyKeys).to.have.length(1);
  });

  it("keeps the donor's input when it cannot be reached", async () => {
    server.on('/payment-intents', (_, times) =>
      times < 4 ? undefined : jsonResponse(intent(), 201),
    );
    const donor = await Donor.open();
    await donor.fillAndSubmit();
    await donor.waitForText('We could not reach the server. You were not charged.');
    expect(donor.find<HTMLInputElement>('#name')!.value).to.equal('Maya Lindqvist');
    donor.submit();
    await donor.waitForText('Thank you');
    expect(new Set(server.idempotencyKeys).size).to.equal(1);
  });
});
